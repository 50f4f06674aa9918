import { describe, expect, test } from 'vitest'
import { aProject, aStoredProject } from '#tests/factories.ts'
import type { ProjectContent } from './backups.queries.ts'
import { type CheckedRecord, readRecord } from './export.rules.ts'
import { contentSums, type KnownContents, type MergeMode, merge } from './merge.rules.ts'

const fresh = { newId: () => '11111111-1111-4111-8111-111111111111', now: '2026-06-01T00:00:00.000Z' }
const stored: ProjectContent = { ...aStoredProject(), rank: 1, deletedAt: null, addresses: ['harbour-tug'] }
const incoming = (details: object) => readRecord('projects', 0, { ...aProject(), ...details })

function mergeProjects(
  records: CheckedRecord<'projects'>[],
  existing: ProjectContent[],
  mode: MergeMode,
  known?: KnownContents,
) {
  return merge('projects', records, existing, { mode, ...fresh, known })
}

describe('merging', () => {
  test('a record with a known id is the same, whatever else it says, and an import leaves it', () => {
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
    const { materialsEs: _materialsEs, featured: _featured, scale: _scale, ...older } = stored
    const before = { ...stored, materialsEs: 'latón', featured: true, scale: '1:48' }
    const record = readRecord('projects', 0, { ...older, title: 'Another' })
    expect(mergeProjects([record], [before], 'restore').bringBack).toEqual([{ ...before, title: 'Another' }])
    const same = readRecord('projects', 0, older)
    expect(mergeProjects([same], [before], 'restore')).toMatchObject({ bringBack: [], alreadyThere: 1 })
    const emptied = readRecord('projects', 0, { ...older, scale: null })
    expect(mergeProjects([emptied], [before], 'restore').bringBack).toEqual([{ ...before, scale: null }])
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
    expect(merge({ ...content, createdAt: '2020-01-01T00:00:00Z' }).add.length).toBe(1)
  })

  test('the same content twice, without an id, is one record', () => {
    const known = new Set<string>()
    expect(mergeProjects([incoming({})], [], 'import', known).add.length).toBe(1)
    expect(mergeProjects([incoming({})], [], 'import', known)).toMatchObject({ add: [], alreadyThere: 1 })
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
