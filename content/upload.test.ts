import Uppy from '@uppy/core'
import Dashboard from '@uppy/dashboard'
import { describe, expect, test } from 'vitest'
import { upload as uploadEn } from './en/upload.ts'
import { upload as uploadEs } from './es/upload.ts'

const uppy = new Uppy()
const ownWords: Record<string, unknown> = { ...uppy.defaultLocale.strings, ...new Dashboard(uppy).defaultLocale.strings }

/** Of services that keep files elsewhere, which this site does not use. */
const elsewhere =
  /companion|auth|log(In|Out)|noFilesFound|noSearchResults|selectX|[fF]older(Named)?$|pick|[fF]ilter|loadedX|signIn|[sS]earch|folderNamed/

/** The parts that stand for something: `%{file}`. */
const blanks = (text: unknown) => [...new Set(String(JSON.stringify(text)).match(/%\{\w+\}/g))].toSorted()

describe('the words of the upload widget', () => {
  const shown = Object.keys(ownWords).filter((key) => !elsewhere.test(key))

  test('are all there in Spanish', () => {
    expect(shown.length).toBeGreaterThan(80)
    expect(shown.filter((key) => !(key in uploadEs.widget))).toEqual([])
  })

  test.each([
    ['en', uploadEn],
    ['es', uploadEs],
  ])('in %s replace words the widget has, and leave the same blanks', (_, { widget }) => {
    const odd = Object.entries(widget).filter(([key, text]) => {
      const own = blanks(ownWords[key])
      return !(key in ownWords) || blanks(text).some((blank) => !own.includes(blank))
    })
    expect(odd.map(([key]) => key)).toEqual(['generatingThumbnails'].filter((key) => key in widget))
  })

  test('are SPEC’s in English', () => {
    const text = (key: string) => uploadEn.widget[key] ?? ownWords[key]
    expect(text('youCanOnlyUploadX')).toMatchObject({ 0: 'You can only upload %{smart_count} file' })
    expect(text('exceedsSize')).toBe('%{file} exceeds maximum allowed size of %{size}')
    // Of many photos at once, which are chosen without the widget.
    expect(uploadEn.tooLarge('hull.jpg')).toBe('hull.jpg exceeds maximum allowed size of 10 MB')
    expect(uploadEs.tooLarge('%{file}')).toBe(String(uploadEs.widget.exceedsSize).replace('%{size}', '10 MB'))
    expect(text('noDuplicates')).toContain('Cannot add the duplicate file')
    expect(text('noMoreFilesAllowed')).toBe('Cannot add more files')
    expect(text('failedToUpload')).toBe('Failed to upload %{file}')
    expect(text('noInternetConnection')).toBe('No Internet connection')
    expect(text('connectedToInternet')).toBe('Connected to the Internet')
    expect(text('uploadFailed')).toBe('Upload failed')
    expect(text('missingRequiredMetaField')).toBe('Missing required meta fields')
    expect(uploadEn.done).toBe('Image uploaded successfully')
    expect(uploadEn.noAddress).toBe('Failed to get upload URL')
  })
})
