import { expect, test } from 'vitest'
import { maxImageBytes } from '#contract/contact-fields.ts'
import { canRetry, photoFaultOf, refusalOf } from './contact-photos.rules.ts'

const jpeg = { name: 'tug.jpg', type: 'image/jpeg', size: 1000 }

test('what can never be taken is refused before it is sent, and the rest is for the server to judge', () => {
  expect(refusalOf(jpeg)).toBeUndefined()
  expect(refusalOf({ ...jpeg, type: '' })).toBeUndefined()
  expect(refusalOf({ ...jpeg, size: maxImageBytes })).toBeUndefined()
  expect(refusalOf({ ...jpeg, size: maxImageBytes + 1 })).toBe('tooLarge')
  expect(refusalOf({ name: 'IMG_2041.HEIC', type: '', size: 1000 })).toBe('heic')
  expect(refusalOf({ name: 'photo', type: 'image/heif', size: 1000 })).toBe('heic')
  expect(refusalOf({ name: 'plan.pdf', type: 'application/pdf', size: 1000 })).toBe('notAPhoto')
  expect(maxImageBytes).toBe(maxImageBytes)
})

test('what the server refuses has its own sentence, and only what may go better can be tried again', () => {
  const codes = ['image_too_many_pixels', 'not_an_image', 'heic_not_supported', 'image_broken', 'too_many_photos', undefined]
  const faults = codes.map(photoFaultOf)
  expect(faults).toEqual(['tooLarge', 'notAPhoto', 'heic', 'broken', 'full', 'failed'])
  expect(faults.filter(canRetry)).toEqual(['full', 'failed'])
  expect(photoFaultOf('of_a_newer_release')).toBe('failed')
})
