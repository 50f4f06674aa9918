import { expect, test } from 'vitest'
import { upload } from './en/upload.ts'

test('the upload messages of the specification are kept word for word', () => {
  const { one } = upload
  expect([
    one.onlyOne,
    upload.tooLarge('hull.jpg'),
    one.duplicate('hull.jpg'),
    one.noMore,
    one.failed('hull.jpg'),
    one.offline,
    one.online,
    upload.failed,
    upload.done,
    upload.noAddress,
  ]).toEqual([
    'You can only upload 1 file',
    'hull.jpg exceeds maximum allowed size of 10 MB',
    expect.stringMatching(/^Cannot add the duplicate file/),
    'Cannot add more files',
    'Failed to upload hull.jpg',
    'No Internet connection',
    'Connected to the Internet',
    'Upload failed',
    'Image uploaded successfully',
    'Failed to get upload URL',
  ])
})
