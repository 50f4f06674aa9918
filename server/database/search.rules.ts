/** Matches texts that have all the words in them together, whatever the accents and capitals. */
export function textWith(words: string) {
  const wanted = plain(words).split(/\s+/).filter(Boolean)
  return (texts: readonly (string | null)[]) => {
    if (wanted.length === 0) return true
    const searched = plain(texts.filter(Boolean).join(' '))
    return wanted.every((word) => searched.includes(word))
  }
}

export function plain(text: string) {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
