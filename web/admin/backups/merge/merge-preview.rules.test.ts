import { expect, test } from 'vitest'
import type { MergePreview, ProjectChange } from '#contract/restores.ts'
import {
  changesNothing,
  countsOf,
  coverAddresses,
  fieldsListed,
  isArchive,
  notListed,
  photoAddresses,
  toggled,
} from './merge-preview.rules.ts'

const none = { added: 0, changed: 0, alreadyThere: 0 }
const preview: MergePreview = {
  mode: 'restore',
  createdAt: null,
  projects: { added: 3, changed: 2, alreadyThere: 9 },
  contacts: none,
  images: { added: 0, alreadyThere: 4 },
  inquiryPhotos: { added: 0, alreadyThere: 0 },
  missingImages: 0,
  changes: [],
  site: [],
}
const cover = { hash: 'a'.repeat(64), isStored: true }
const change: ProjectChange = {
  number: 0,
  change: 'changed',
  title: 'Galleon',
  currentTitle: 'Galleon',
  currentPhoto: cover,
  incomingPhoto: { hash: 'b'.repeat(64), isStored: false },
  differences: [
    { field: 'imageUrl', current: 'a', incoming: 'b' },
    { field: 'scale', current: '1:48', incoming: '1:72' },
  ],
}

test('only the kinds that the file has are counted', () => {
  expect(countsOf(preview).map(({ name }) => name)).toEqual(['projects', 'images'])
  expect(countsOf({ ...preview, site: [{ field: 'en.hero.title', current: null, incoming: 'Ships' }] }).at(-1)).toEqual({
    name: 'site',
    added: 0,
    changed: 1,
    alreadyThere: 0,
  })
})

test('a file whose contents are all here changes nothing', () => {
  expect(changesNothing(preview)).toBe(false)
  expect(changesNothing({ ...preview, projects: { ...none, alreadyThere: 9 } })).toBe(true)
})

test('models beyond those that are listed are told as a number', () => {
  expect(notListed(preview)).toBe(5)
  expect(notListed({ ...preview, changes: Array.from({ length: 5 }, () => change) })).toBe(0)
})

test('two covers are shown side by side instead of as a field', () => {
  expect(fieldsListed(change).map(({ field }) => field)).toEqual(['scale'])
  expect(fieldsListed({ ...change, incomingPhoto: cover }).map(({ field }) => field)).toEqual(['imageUrl', 'scale'])
  // One of another site has no hash: its field shows it.
  const elsewhere = { ...change, incomingPhoto: { hash: null, isStored: false } }
  expect(fieldsListed(elsewhere).map(({ field }) => field)).toEqual(['imageUrl', 'scale'])
})

test('a photo is read from the site, and out of an archive where the site may not have it', () => {
  const previewed = { source: { filename: 'complete_backup_x.zip' }, isArchive: true }
  const inFile = expect.stringMatching(/\?filename=complete_backup_x\.zip&hash=b+$/)
  const here = expect.stringMatching(/^\/objects\/b+\?/)
  expect(coverAddresses(cover, previewed)).toEqual([expect.stringMatching(/^\/objects\/a+\?/)])
  expect(coverAddresses(change.incomingPhoto, previewed)).toEqual([inFile])
  expect(coverAddresses({ hash: null, isStored: false }, previewed)).toEqual([])
  expect(photoAddresses('b'.repeat(64), previewed)).toEqual([inFile, here])
  expect(photoAddresses('b'.repeat(64), { ...previewed, isArchive: false })).toEqual([here])
  expect(photoAddresses(`/objects/${'b'.repeat(64)}`)).toEqual([here])
  expect(photoAddresses('https://older-site.example/a.jpg', previewed)).toEqual(['https://older-site.example/a.jpg'])
})

test('an archive is told by its name, also where it is imported', () => {
  expect(['complete.zip', 'COMPLETE.ZIP', 'complete.zip.age'].map(isArchive)).toEqual([true, true, true])
  expect(['export.json', 'export.json.age', 'zip.json', ''].map(isArchive)).toEqual([false, false, false, false])
})

test('a model is left out and taken again', () => {
  const without = toggled(new Set([4]), 2)
  expect([...without]).toEqual([4, 2])
  expect([...toggled(without, 4)]).toEqual([2])
})
