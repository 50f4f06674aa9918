import { describe, expect, test } from 'vitest'
import { mostReplies } from '#contract/contacts.admin.ts'
import { aContact, aProject, aStoredProject } from '#tests/factories.ts'
import { contentSum, readRecord } from '../archive/export.rules.ts'
import type { ContactContent, ProjectContent } from '../archive/records.queries.ts'
import { type ContactRules, decideContact, decideProject, knowContent, type MergeRules } from './merge.rules.ts'

const now = '2026-06-01T00:00:00.000Z'
const stored: ProjectContent = { ...aStoredProject(), rank: 1, deletedAt: null, addresses: ['harbour-tug'] }

/** What is written of a project in a file, by a restore unless the rules say otherwise. */
function merge(record: object, before?: ProjectContent, rules: Partial<MergeRules> = {}) {
  return decideProject(readRecord('projects', 0, record), before, { mode: 'restore', now, unknown: new Set(), ...rules })
}

describe('merging projects', () => {
  test('one with an existing id, in capitals too, is the same whatever else it says: an import leaves it, a restore brings it back once', () => {
    const changed = { ...stored, id: stored.id.toUpperCase(), title: 'Another' }
    expect(merge(changed, stored, { mode: 'import' })).toBeUndefined()
    expect(merge(changed, stored)).toEqual({ ...stored, title: 'Another' })
    expect(merge(changed, merge(changed, stored))).toBeUndefined()
  })

  test('a field the file does not have stays as it is on a project that exists', () => {
    const { translations: _translations, featured: _featured, scale: _scale, ...older } = stored
    const es = { title: null, description: null, materials: 'latón', techniques: null }
    const before = { ...stored, translations: { es }, featured: true, scale: '1:48' }
    expect(merge({ ...older, title: 'Another' }, before)).toEqual({ ...before, title: 'Another' })
    expect(merge(older, before)).toBeUndefined()
    expect(merge({ ...older, scale: null }, before)).toEqual({ ...before, scale: null })
  })

  test('a translation the file does not have stays as it is, and one that is emptied there is emptied', () => {
    const es = { title: 'Remolcador', description: null, materials: 'latón', techniques: null }
    const broughtBack = (translations: object) => merge({ ...stored, translations }, { ...stored, translations: { es } })
    expect(broughtBack({})).toBeUndefined()
    expect(broughtBack({ es: { title: 'Remolcador' } })).toBeUndefined()
    expect(broughtBack({ es: { title: 'Otro', materials: null } })).toEqual({
      ...stored,
      translations: { es: { ...es, title: 'Otro', materials: null } },
    })
  })

  test('a caption the file does not have stays with its photo, wherever that stands', () => {
    const photo = (imageUrl: string, caption: string | null) => ({ imageUrl, caption: null, translations: { es: { caption } } })
    const [bow, stern] = [photo('https://example.com/bow.jpg', 'Proa'), photo('https://example.com/stern.jpg', 'Popa')]
    const before = { ...stored, photos: [bow, stern, bow] }
    const broughtBack = (photos: object[]) => merge({ ...stored, photos }, before)?.photos
    const untranslated = before.photos.map((each) => ({ ...each, translations: {} }))
    expect(broughtBack(untranslated)).toBeUndefined()
    expect(broughtBack(untranslated.toReversed().slice(1))).toEqual([stern, bow])
    const emptied = [photo(bow.imageUrl, null), stern, bow]
    expect(broughtBack(emptied)).toEqual(emptied)
  })

  test('nothing goes into the trash by a file, and what a file has outside of it comes out', () => {
    const deleted = { ...stored, deletedAt: '2026-05-05T00:00:00.000Z' }
    expect(merge(deleted, stored)).toBeUndefined()
    expect(merge(deleted, deleted)).toBeUndefined()
    expect(merge(deleted)).toEqual({ ...stored, deletedAt: now })
    for (const mode of ['import', 'restore'] as const) expect(merge(stored, deleted, { mode })).toEqual(stored)
    const older = { ...stored, title: 'Of an older file' }
    expect(merge(older, deleted, { mode: 'import' })).toEqual(stored)
    expect(merge(older, deleted)).toEqual(older)
  })

  const unknownOf = (record: object) => new Set([contentSum(readRecord('projects', 0, record).record)])

  test('one without an id is the same when all its content is', () => {
    const { id: _id, createdAt: _createdAt, ...content } = stored
    const isAdded = (record: object) => {
      const unknown = unknownOf(record)
      knowContent(stored, unknown)
      return merge(record, undefined, { unknown }) !== undefined
    }
    expect(isAdded(content)).toBe(false)
    expect(isAdded({ ...content, createdAt: stored.createdAt })).toBe(false)
    expect(isAdded({ ...content, scale: '1:9' })).toBe(true)
    expect(isAdded({ ...content, translations: { es: { title: null } } })).toBe(false)
    expect(isAdded({ ...content, translations: { es: { title: 'Remolcador' } } })).toBe(true)
    expect(isAdded({ ...content, createdAt: '2020-01-01T00:00:00Z' })).toBe(true)
  })

  test('one without an id or a moment gets new ones, comes once, and keeps its moment to the millisecond', () => {
    const rules = { unknown: unknownOf(aProject()) }
    expect(merge(aProject(), undefined, rules)).toMatchObject({ id: expect.any(String), createdAt: now, title: 'Harbour tug' })
    expect(merge(aProject(), undefined, rules)).toBeUndefined()
    const dated = { ...aProject(), createdAt: '2026-01-02T03:04:05Z' }
    expect(merge(dated, undefined, { unknown: unknownOf(dated) })?.createdAt).toBe('2026-01-02T03:04:05.000Z')
  })
})

const reply = (number: number, sentAt: string | null = null) => ({
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  text: 'Yes.',
  createdAt: '2026-05-02T00:00:00.000Z',
  sentAt,
})
const [bow, stern, keel] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string]
const contact: ContactContent = {
  ...aContact(),
  id: '22222222-2222-4222-8222-222222222222',
  createdAt: '2026-05-01T00:00:00.000Z',
  state: 'answered',
  language: 'es',
  aboutId: stored.id,
  aboutTitle: stored.title,
  note: 'Calls after six.',
  spamReason: null,
  changedAt: '2026-05-02T00:00:00.000Z',
  replies: [reply(1, '2026-05-02T00:00:01.000Z')],
  photos: [bow],
}

describe('merging messages', () => {
  const merge = (file: object, before?: ContactContent, more: Partial<ContactRules> = {}) => {
    return decideContact(readRecord('contacts', 0, file), before, {
      mode: 'restore',
      now,
      unknown: new Set(),
      hasPhoto: () => true,
      ...more,
    })
  }
  const earlier = { changedAt: '2026-05-01T23:59:59.999Z' }
  const later = { changedAt: '2026-05-02T00:00:00.001Z' }

  test('one that is missing is added whole, one of an older file as new', () => {
    expect(merge(contact, undefined, { mode: 'import' })).toEqual(contact)
    const { id, name, email, projectType, message, createdAt } = contact
    const nothing = { language: null, aboutId: null, aboutTitle: null, note: null, changedAt: null, replies: [], photos: [] }
    expect(merge({ id, name, email, projectType, message, createdAt })).toEqual({ ...contact, ...nothing, state: 'new' })
  })

  test('an import changes nothing of one that is there', () => {
    const file = { ...contact, ...later, state: 'closed', replies: [reply(2)], photos: [stern] }
    expect(merge(file, contact, { mode: 'import' })).toBeUndefined()
  })

  test('a restore takes what was done later, and that once', () => {
    const file = { ...contact, ...later, state: 'quoted', note: null, name: 'Another' }
    const restored = merge(file, contact)
    expect(restored).toEqual({ ...contact, ...later, state: 'quoted', note: null, replies: [] })
    expect(merge(file, { ...contact, ...restored, replies: contact.replies })).toBeUndefined()
    for (const changedAt of [earlier.changedAt, contact.changedAt, '2026-05-02T00:00:00Z', null]) {
      expect(merge({ ...file, changedAt }, contact)).toBeUndefined()
    }
    expect(merge({ ...file, ...earlier }, { ...contact, changedAt: null })).toMatchObject({ state: 'quoted', note: null })
  })

  test('what was answered is never new again; what was taken for spam may be', () => {
    const reopened = { ...contact, ...later, state: 'new', note: 'Wrote again.' }
    for (const state of ['answered', 'quoted', 'closed'] as const) {
      expect(merge(reopened, { ...contact, state })).toMatchObject({ state, note: 'Wrote again.', ...later })
    }
    const spam = { ...contact, state: 'spam', spamReason: 'many_links' } as const
    expect(merge(reopened, spam)).toMatchObject({ state: 'new', spamReason: null })
  })

  test('a field the file does not have stays as it is', () => {
    const { note: _note, spamReason: _reason, ...rest } = contact
    expect(merge({ ...rest, ...later, state: 'closed' }, contact)).toMatchObject({ state: 'closed', note: contact.note })
  })

  test('replies are added by their ids, and one that was sent stays so', () => {
    const [first] = contact.replies
    const file = { ...contact, ...earlier, state: 'new', replies: [{ ...first, sentAt: null, text: 'No.' }, reply(2)] }
    expect(merge(file, contact)).toEqual({ ...contact, replies: [reply(2)] })
    const unsent = { ...contact, replies: [reply(1)] }
    expect(merge(contact, unsent)).toEqual({ ...contact, replies: contact.replies })
    expect(merge(file, { ...contact, replies: [...contact.replies, reply(2)] })).toBeUndefined()
    const many = (from: number, to: number) => Array.from({ length: to - from }, (_, number) => reply(from + number))
    const most = { ...contact, replies: many(0, mostReplies - 1) }
    expect(merge({ ...contact, replies: many(500, 500 + mostReplies) }, most)?.replies).toEqual([reply(500)])
  })

  test('photos are added where the site has their bytes, and no more than a message can have', () => {
    const file = { ...contact, photos: [stern, bow, stern] }
    expect(merge(file, contact)).toEqual({ ...contact, replies: [], photos: [stern, bow] })
    expect(merge(file, contact, { hasPhoto: (hash) => hash === bow })).toBeUndefined()
    const full = { ...contact, photos: [bow, keel, 'd'.repeat(64), 'e'.repeat(64)] }
    expect(merge(file, full)).toBeUndefined()
  })
})
