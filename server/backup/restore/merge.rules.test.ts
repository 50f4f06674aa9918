import { describe, expect, test } from 'vitest'
import { mostReplies } from '#contract/contacts.admin.ts'
import { aContact, aProject, aStoredProject } from '#tests/factories.ts'
import { type CheckedRecord, readRecord } from '../archive/export.rules.ts'
import type { ContactContent, ProjectContent } from '../archive/records.queries.ts'
import { type ContentSums, contentSums, decideRecords, type MergeMode } from './merge.rules.ts'

const fresh = { newId: () => '11111111-1111-4111-8111-111111111111', now: '2026-06-01T00:00:00.000Z' }
const stored: ProjectContent = { ...aStoredProject(), rank: 1, deletedAt: null, addresses: ['harbour-tug'] }
const incoming = (details: object) => readRecord('projects', 0, { ...aProject(), ...details })

function mergeProjects(
  records: CheckedRecord<'projects'>[],
  existing: ProjectContent[],
  mode: MergeMode,
  contents?: ContentSums,
) {
  return decideRecords('projects', records, existing, { mode, ...fresh, contents })
}

describe('merging', () => {
  test('a record with an existing id is the same, whatever else it says, and an import leaves it', () => {
    const changed = incoming({ ...stored, title: 'Another' })
    expect(mergeProjects([changed], [stored], 'import')).toEqual({ add: [], bringBack: [], alreadyThere: 1 })
  })

  test('a restore brings it back, once', () => {
    const changed = incoming({ ...stored, title: 'Another' })
    const { bringBack } = mergeProjects([changed], [stored], 'restore')
    expect(bringBack).toEqual([{ ...stored, title: 'Another' }])
    expect(mergeProjects([changed], bringBack, 'restore')).toMatchObject({ bringBack: [], alreadyThere: 1 })
  })

  test('a field the file does not have stays as it is on a project that exists', () => {
    const { translations: _translations, featured: _featured, scale: _scale, ...older } = stored
    const es = { title: null, description: null, materials: 'latón', techniques: null }
    const before = { ...stored, translations: { es }, featured: true, scale: '1:48' }
    const record = readRecord('projects', 0, { ...older, title: 'Another' })
    expect(mergeProjects([record], [before], 'restore').bringBack).toEqual([{ ...before, title: 'Another' }])
    const same = readRecord('projects', 0, older)
    expect(mergeProjects([same], [before], 'restore')).toMatchObject({ bringBack: [], alreadyThere: 1 })
    const emptied = readRecord('projects', 0, { ...older, scale: null })
    expect(mergeProjects([emptied], [before], 'restore').bringBack).toEqual([{ ...before, scale: null }])
  })

  test('a translation the file does not have stays as it is, and one that is emptied there is emptied', () => {
    const es = { title: 'Remolcador', description: null, materials: 'latón', techniques: null }
    const before = { ...stored, translations: { es } }
    const broughtBack = (translations: object) =>
      mergeProjects([incoming({ ...stored, translations })], [before], 'restore').bringBack
    expect(broughtBack({})).toEqual([])
    expect(broughtBack({ es: { title: 'Remolcador' } })).toEqual([])
    expect(broughtBack({ es: { title: 'Otro', materials: null } })).toEqual([
      { ...stored, translations: { es: { ...es, title: 'Otro', materials: null } } },
    ])
  })

  test('a caption the file does not have stays with its photo, wherever that stands', () => {
    const photo = (imageUrl: string, caption: string | null) => ({ imageUrl, caption: null, translations: { es: { caption } } })
    const [bow, stern] = [photo('https://example.com/bow.jpg', 'Proa'), photo('https://example.com/stern.jpg', 'Popa')]
    const before = { ...stored, photos: [bow, stern, bow] }
    const broughtBack = (photos: object[]) => mergeProjects([incoming({ ...stored, photos })], [before], 'restore').bringBack
    const untranslated = before.photos.map((each) => ({ ...each, translations: {} }))
    expect(broughtBack(untranslated)).toEqual([])
    expect(broughtBack(untranslated.toReversed().slice(1))).toEqual([{ ...before, photos: [stern, bow] }])
    expect(broughtBack([photo(bow.imageUrl, null), stern, bow])).toEqual([
      { ...before, photos: [photo(bow.imageUrl, null), stern, bow] },
    ])
  })

  test('nothing goes into the trash by a file, and what a file has outside of it comes out', () => {
    const deleted = { ...stored, deletedAt: '2026-05-05T00:00:00.000Z' }
    const inTrash = incoming(deleted)
    expect(mergeProjects([inTrash], [stored], 'restore')).toMatchObject({ bringBack: [], alreadyThere: 1 })
    expect(mergeProjects([inTrash], [deleted], 'restore')).toMatchObject({ bringBack: [], alreadyThere: 1 })
    expect(mergeProjects([inTrash], [], 'restore').add).toEqual([{ ...stored, deletedAt: fresh.now }])
    for (const mode of ['import', 'restore'] as const) {
      expect(mergeProjects([incoming(stored)], [deleted], mode).bringBack).toEqual([stored])
    }
    const older = incoming({ ...stored, title: 'Of an older file' })
    expect(mergeProjects([older], [deleted], 'import').bringBack).toEqual([stored])
    expect(mergeProjects([older], [deleted], 'restore').bringBack).toEqual([{ ...stored, title: 'Of an older file' }])
  })

  test('an id in capitals is the same id', () => {
    const loud = incoming({ ...stored, id: stored.id.toUpperCase() })
    expect(mergeProjects([loud], [stored], 'import').alreadyThere).toBe(1)
  })

  test('a record without an id is the same when all its content is', () => {
    const { id: _id, createdAt: _createdAt, ...content } = stored
    const merge = (record: object) => mergeProjects([incoming(record)], [], 'import', new Set(contentSums(stored)))
    expect(merge(content).alreadyThere).toBe(1)
    expect(merge({ ...content, scale: '1:9' }).add.length).toBe(1)
    expect(merge({ ...content, translations: { es: { title: null } } }).alreadyThere).toBe(1)
    expect(merge({ ...content, translations: { es: { title: 'Remolcador' } } }).add.length).toBe(1)
    const { translations: _translations, ...older } = content
    expect(merge({ ...older, titleEs: null }).alreadyThere).toBe(1)
    expect(merge({ ...older, titleEs: 'Remolcador' }).add.length).toBe(1)
    expect(merge({ ...content, createdAt: '2020-01-01T00:00:00Z' }).add.length).toBe(1)
  })

  test('the same content twice, without an id, is one record', () => {
    const contents = new Set<string>()
    expect(mergeProjects([incoming({})], [], 'import', contents).add.length).toBe(1)
    expect(mergeProjects([incoming({})], [], 'import', contents)).toMatchObject({ add: [], alreadyThere: 1 })
  })

  test('what comes without an id or a moment gets new ones', () => {
    const { add } = mergeProjects([incoming({})], [], 'import')
    expect(add[0]).toMatchObject({ id: fresh.newId(), createdAt: fresh.now, title: 'Harbour tug' })
  })

  test('a moment is kept to the millisecond, however it is written', () => {
    const { add } = mergeProjects([incoming({ createdAt: '2026-01-02T03:04:05Z' })], [], 'import')
    expect(add[0]?.createdAt).toBe('2026-01-02T03:04:05.000Z')
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
  const everyPhoto = () => true
  const mergeOne = (
    file: object,
    before: ContactContent | undefined,
    more: Partial<Parameters<typeof decideRecords>[3]> = {},
  ) =>
    decideRecords('contacts', [readRecord('contacts', 0, { ...file })], before ? [before] : [], {
      mode: 'restore',
      ...fresh,
      isHere: everyPhoto,
      ...more,
    })
  const broughtBack = (file: object, before: ContactContent, more?: Partial<Parameters<typeof decideRecords>[3]>) =>
    mergeOne(file, before, more).bringBack[0]
  const earlier = { changedAt: '2026-05-01T23:59:59.999Z' }
  const later = { changedAt: '2026-05-02T00:00:00.001Z' }

  test('one that is missing is added whole, one of an older file as new', () => {
    expect(mergeOne(contact, undefined, { mode: 'import' }).add).toEqual([contact])
    const { id, name, email, projectType, message, createdAt } = contact
    expect(mergeOne({ id, name, email, projectType, message, createdAt }, undefined).add).toEqual([
      {
        ...contact,
        state: 'new',
        language: null,
        aboutId: null,
        aboutTitle: null,
        note: null,
        changedAt: null,
        replies: [],
        photos: [],
      },
    ])
  })

  test('an import changes nothing of one that is there', () => {
    const file = { ...contact, ...later, state: 'closed', replies: [reply(2)], photos: [stern] }
    expect(mergeOne(file, contact, { mode: 'import' })).toEqual({ add: [], bringBack: [], alreadyThere: 1 })
  })

  test('a restore takes what was done later, and that once', () => {
    const file = { ...contact, ...later, state: 'quoted', note: null, name: 'Another' }
    const restored = broughtBack(file, contact)
    expect(restored).toEqual({ ...contact, ...later, state: 'quoted', note: null, replies: [] })
    expect(mergeOne(file, { ...contact, ...restored, replies: contact.replies }).alreadyThere).toBe(1)
    for (const changedAt of [earlier.changedAt, contact.changedAt, '2026-05-02T00:00:00Z', null]) {
      expect(broughtBack({ ...file, changedAt }, contact)).toBeUndefined()
    }
    expect(broughtBack({ ...file, ...earlier }, { ...contact, changedAt: null })).toMatchObject({ state: 'quoted', note: null })
  })

  test('what was answered is never new again; what was taken for spam may be', () => {
    const reopened = { ...contact, ...later, state: 'new', note: 'Wrote again.' }
    for (const state of ['answered', 'quoted', 'closed'] as const) {
      expect(broughtBack(reopened, { ...contact, state })).toMatchObject({ state, note: 'Wrote again.', ...later })
    }
    expect(broughtBack(reopened, { ...contact, state: 'spam', spamReason: 'many_links' })).toMatchObject({
      state: 'new',
      spamReason: null,
    })
  })

  test('a field the file does not have stays as it is', () => {
    const { note: _note, spamReason: _reason, ...rest } = contact
    expect(broughtBack({ ...rest, ...later, state: 'closed' }, contact)).toMatchObject({ state: 'closed', note: contact.note })
  })

  test('replies are added by their ids, and one that was sent stays so', () => {
    const [ours] = contact.replies
    const file = { ...contact, ...earlier, state: 'new', replies: [{ ...ours, sentAt: null, text: 'No.' }, reply(2)] }
    expect(broughtBack(file, contact)).toEqual({ ...contact, replies: [reply(2)] })
    const unsent = { ...contact, replies: [reply(1)] }
    expect(broughtBack(contact, unsent)).toEqual({ ...contact, replies: contact.replies })
    expect(mergeOne(file, { ...contact, replies: [...contact.replies, reply(2)] }).alreadyThere).toBe(1)
    // One of another message stays there.
    expect(broughtBack(file, contact, { repliesHere: new Map([[reply(2).id, stored.id]]) })).toBeUndefined()
    const many = (from: number, to: number) => Array.from({ length: to - from }, (_, number) => reply(from + number))
    const most = { ...contact, replies: many(0, mostReplies - 1) }
    expect(broughtBack({ ...contact, replies: many(500, 500 + mostReplies) }, most)?.replies).toEqual([reply(500)])
  })

  test('photos are added where the site has their bytes, and no more than a message can have', () => {
    const file = { ...contact, photos: [stern, bow, stern] }
    expect(broughtBack(file, contact)).toEqual({ ...contact, replies: [], photos: [stern, bow] })
    expect(broughtBack(file, contact, { isHere: (hash) => hash === bow })).toBeUndefined()
    const full = { ...contact, photos: [bow, keel, 'd'.repeat(64), 'e'.repeat(64)] }
    expect(broughtBack(file, full)).toBeUndefined()
  })
})
