import { afterEach, expect, test, vi } from 'vitest'
import { keepContactDraft, readContactDraft } from './contact-draft.ts'

afterEach(() => vi.unstubAllGlobals())

function aStorage() {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  vi.stubGlobal('sessionStorage', storage)
  return kept
}

test('what was typed is kept until nothing is left of it', () => {
  const kept = aStorage()
  expect(readContactDraft()).toBeUndefined()
  keepContactDraft({ entries: { name: 'Inés', message: '' } })
  expect(readContactDraft()).toEqual({ entries: { name: 'Inés', message: '' } })
  const about = { id: 'a', slug: 'tug', title: 'Tug', translations: {}, category: 'ships' } as const
  keepContactDraft({ entries: { name: '' }, about })
  expect(readContactDraft()?.about).toEqual(about)
  keepContactDraft({ entries: { name: '' } })
  expect(kept.size).toBe(0)
})

test('a browser that forbids storage, or has something else there, is no obstacle', () => {
  const kept = aStorage()
  keepContactDraft({ entries: { name: 'Inés' } })
  for (const foreign of ['{', '[]', '"Inés"']) {
    for (const key of kept.keys()) kept.set(key, foreign)
    expect(readContactDraft()).toBeUndefined()
  }
  vi.stubGlobal('sessionStorage', undefined)
  expect(() => keepContactDraft({ entries: { name: 'Inés' } })).not.toThrow()
  expect(readContactDraft()).toBeUndefined()
})
