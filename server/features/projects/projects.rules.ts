import type { Project } from '#contract/projects.ts'

type Searched = Pick<Project, 'title' | 'titleEs' | 'scale' | 'materials' | 'materialsEs'>

/** Matches projects that have all the words in their titles or facts, whatever the accents and capitals. */
export function searchFor(words: string) {
  const wanted = plain(words).split(/\s+/).filter(Boolean)
  return ({ title, titleEs, scale, materials, materialsEs }: Searched) => {
    const searched = plain([title, titleEs, scale, materials, materialsEs].filter(Boolean).join(' '))
    return wanted.every((word) => searched.includes(word))
  }
}

function plain(text: string) {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
