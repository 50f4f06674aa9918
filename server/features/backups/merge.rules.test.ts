import { describe, expect, test } from 'vitest'
import { incomingProject } from '#contract/backups.ts'
import { aProject, aStoredProject } from '#tests/factories.ts'
import { contentSums, mergeProjects } from './merge.rules.ts'

const newcomer = { newId: () => '11111111-1111-4111-8111-111111111111', now: '2026-06-01T00:00:00.000Z' }
const stored = aStoredProject()
const incoming = (details: object) => incomingProject.parse({ ...aProject(), ...details })

describe('merging', () => {
  test('a record with a known id is the same, whatever else it says, and an import leaves it', () => {
    const changed = incoming({ ...stored, title: 'Another' })
    expect(mergeProjects([changed], [stored], 'import', newcomer)).toEqual({ add: [], bringBack: [], alreadyThere: 1 })
  })

  test('a restore brings it back, once', () => {
    const changed = incoming({ ...stored, title: 'Another' })
    const { bringBack } = mergeProjects([changed], [stored], 'restore', newcomer)
    expect(bringBack).toEqual([{ ...stored, title: 'Another' }])
    expect(mergeProjects([changed], bringBack, 'restore', newcomer)).toMatchObject({ bringBack: [], alreadyThere: 1 })
  })

  test('an id in capitals is the same id', () => {
    const loud = incoming({ ...stored, id: stored.id.toUpperCase() })
    expect(mergeProjects([loud], [stored], 'import', newcomer).alreadyThere).toBe(1)
  })

  test('a record without an id is the same when all its content is', () => {
    const { id: _id, createdAt: _createdAt, ...content } = stored
    const merge = (record: object) => mergeProjects([incoming(record)], [], 'import', newcomer, new Set(contentSums(stored)))
    expect(merge(content).alreadyThere).toBe(1)
    expect(merge({ ...content, scale: '1:9' }).add.length).toBe(1)
    expect(merge({ ...content, createdAt: '2020-01-01T00:00:00Z' }).add.length).toBe(1)
  })

  test('the same content twice, without an id, is one record', () => {
    const known = new Set<string>()
    expect(mergeProjects([incoming({})], [], 'import', newcomer, known).add.length).toBe(1)
    expect(mergeProjects([incoming({})], [], 'import', newcomer, known)).toMatchObject({ add: [], alreadyThere: 1 })
  })

  test('what comes without an id or a moment gets new ones', () => {
    const { add } = mergeProjects([incoming({})], [], 'import', newcomer)
    expect(add[0]).toMatchObject({ id: newcomer.newId(), createdAt: newcomer.now, title: 'Harbour tug' })
  })

  test('a moment is kept to the millisecond, however it is written', () => {
    const { add } = mergeProjects([incoming({ createdAt: '2026-01-02T03:04:05Z' })], [], 'import', newcomer)
    expect(add[0]?.createdAt).toBe('2026-01-02T03:04:05.000Z')
  })
})
