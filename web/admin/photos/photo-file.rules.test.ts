import { describe, expect, test } from 'vitest'
import { maxImageBytes } from '#contract/contact-fields.ts'
import { refusalOf } from './photo-file.rules.ts'

const aFile = { name: 'hull.jpg', type: 'image/jpeg', size: maxImageBytes }

describe('a file that is chosen as a photo', () => {
  test.each([
    ['a photo as large as it may be', {}, undefined],
    ['one whose type the system does not know, which the server judges', { name: 'hull', type: '' }, undefined],
    ['one of a phone that writes HEIC', { type: 'image/heic' }, 'heic'],
    ['the same on a system that has no type for it', { name: 'IMG_1.HEIC', type: '' }, 'heic'],
    ['a drawing', { type: 'image/svg+xml' }, 'svg'],
    ['a document', { type: 'application/pdf' }, 'notAPhoto'],
    ['one byte too many', { size: maxImageBytes + 1 }, 'tooLarge'],
  ])('%s', (_, details, refusal) => {
    expect(refusalOf({ ...aFile, ...details })).toBe(refusal)
  })
})
