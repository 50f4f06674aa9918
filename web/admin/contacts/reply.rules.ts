import type { ContactTexts } from '#content/en/contacts.ts'
import type { Contact, ContactReply } from '#contract/contacts.admin.ts'

type QuotedContact = Pick<Contact, 'name' | 'message' | 'createdAt'>
type Words = ReturnType<ContactTexts['letter']>

/** The greeting and the quote that a reply begins with. */
export function preparedLetter({ name, message, createdAt }: QuotedContact, words: Words) {
  const date = createdAt && new Intl.DateTimeFormat(words.locale, { dateStyle: 'long' }).format(new Date(createdAt))
  const quote = message
    .split(/\r\n|\r|\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
  const above = `${words.greeting(name)}\n\n`
  const below = `\n\n${words.regards}\n\n${words.wrote(date)}\n`
  return { above, below, quote, text: `${above}${below}${quote}` }
}

/** Mail programs and systems refuse longer addresses. */
const longestMailto = 1_800

/** The same as a mailto link. A long quote is cut to the longest address. */
export function mailtoOf(contact: QuotedContact & Pick<Contact, 'email'>, words: Words) {
  const { above, below, quote } = preparedLetter(contact, words)
  const addressWith = (quoted: string) => {
    const body = `${above}${below}${quoted}`.replaceAll('\n', '\r\n')
    const to = encodeURIComponent(contact.email)
    return `mailto:${to}?subject=${encodeURIComponent(words.subject)}&body=${encodeURIComponent(body)}`
  }
  const whole = addressWith(quote)
  if (whole.length <= longestMailto) return whole
  const characters = [...quote]
  let [fits, tooLong] = [0, characters.length]
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if (addressWith(`${characters.slice(0, middle).join('')}…`).length <= longestMailto) fits = middle
    else tooLong = middle
  }
  return addressWith(`${characters.slice(0, fits).join('')}…`)
}

/** Without the quoted message at its end, which is shown above it anyway. */
export function withoutQuote(text: string) {
  const lines = text.split('\n')
  const isQuoted = (line: string) => line.startsWith('>') || line.trim() === ''
  const end = lines.findLastIndex((line) => !isQuoted(line))
  const quotes = lines.slice(end + 1).some((line) => line.startsWith('>'))
  // The line that introduces the quote ends with a colon.
  const own = quotes ? lines.slice(0, lines[end]?.trimEnd().endsWith(':') ? end : end + 1) : lines
  return own.join('\n').trimEnd() || text
}

/** The state of a reply's mail; unknown when the mail's record was deleted before its delivery was recorded. */
export function sendingOf({ sentAt, mail }: ContactReply) {
  if (sentAt !== null || mail?.state === 'sent') return 'sent'
  return mail?.state ?? 'unknown'
}
