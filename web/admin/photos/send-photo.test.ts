import { afterEach, describe, expect, test, vi } from 'vitest'
import { maxImageBytes } from '#contract/contact-fields.ts'
import { finalizeUpload, requestUpload } from '#contract/images.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { CallError } from '../../api/call.ts'
import { canTryAgain, NoUploadAddress, refusalOf, sendPhoto } from './send-photo.ts'

const objectPath = `/objects/${'a'.repeat(64)}`

type Answer = () => Response
const json =
  (status: number, body: object): Answer =>
  () =>
    Response.json(body, { status })
const noConnection: Answer = () => {
  throw new TypeError('Failed to fetch')
}

/** The site as this test has it: each call takes the next of its answers, and the last one for good. */
function playSite(answers: { upload?: Answer[]; finalize?: Answer[] }) {
  const calls: string[] = []
  let tickets = 0
  const upload = answers.upload ?? [() => Response.json({ uploadURL: `https://site.example/${++tickets}` })]
  const finalize = answers.finalize ?? [json(200, { objectPath })]
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit) => {
    calls.push(path === finalizeUpload.path ? `finalize ${JSON.parse(String(body)).imageURL}` : 'upload')
    const queue = { [requestUpload.path]: upload, [finalizeUpload.path]: finalize }[path] ?? []
    const answer = queue.length > 1 ? queue.shift() : queue[0]
    return answer?.()
  })
  return calls
}

const noAnswer = () => new TypeError('No answer')
const answered = (status: number) => new CallError(status, '', undefined)

/** Sends a photo; each attempt meets the next of these faults, if there is one left. */
function sendWith(faults: unknown[], { signal = new AbortController().signal, delays = [0, 0, 0, 0] } = {}) {
  const sentTo: string[] = []
  const put = async (_file: Blob, { url }: { url: string }) => {
    sentTo.push(url)
    const fault = faults.shift()
    if (fault) throw fault
    return ''
  }
  const file = new File(['x'], 'hull.jpg', { type: 'image/jpeg' })
  return { sentTo, sent: sendPhoto(file, { put, delays, signal, onProgress() {} }) }
}

afterEach(() => vi.unstubAllGlobals())

describe('sending a photo', () => {
  test('sends it, has it judged and answers where it is', async () => {
    const calls = playSite({})
    const { sentTo, sent } = sendWith([])
    expect(await sent).toBe(objectPath)
    expect(sentTo).toEqual(['https://site.example/1'])
    expect(calls).toEqual(['upload', 'finalize https://site.example/1'])
  })

  test('tries again when the line goes dead, each time with an address of its own', async () => {
    const calls = playSite({})
    const { sentTo, sent } = sendWith([noAnswer(), answered(502)])
    expect(await sent).toBe(objectPath)
    expect(sentTo).toEqual([1, 2, 3].map((ticket) => `https://site.example/${ticket}`))
    expect(calls).toEqual(['upload', 'upload', 'upload', 'finalize https://site.example/3'])
  })

  test('tries again when the verdict is lost on the way', async () => {
    playSite({ finalize: [noConnection, json(503, { message: 'Later.', code: 'unavailable' }), json(200, { objectPath })] })
    const { sentTo, sent } = sendWith([])
    expect(await sent).toBe(objectPath)
    expect(sentTo).toHaveLength(3)
  })

  test('tries again while there is no connection for a further address', async () => {
    const addressed = (number: number) => json(200, { uploadURL: `https://site.example/${number}` })
    playSite({ upload: [addressed(1), noConnection, noConnection, addressed(2)] })
    const { sentTo, sent } = sendWith([noAnswer()])
    expect(await sent).toBe(objectPath)
    expect(sentTo).toEqual(['https://site.example/1', 'https://site.example/2'])
  })

  test('gives up after the last of its delays', async () => {
    playSite({})
    const faults = Array.from({ length: 9 }, noAnswer)
    const fifth = faults[4]
    const { sentTo, sent } = sendWith(faults)
    await expect(sent).rejects.toBe(fifth)
    expect(sentTo).toHaveLength(5)
  })

  test('gives up at once without a signal, with the failure it met', async () => {
    playSite({})
    vi.stubGlobal('navigator', { onLine: false })
    const fault = noAnswer()
    const { sentTo, sent } = sendWith([fault], { delays: [1_000_000] })
    await expect(sent).rejects.toBe(fault)
    expect(sentTo).toHaveLength(1)
  })

  test('does not insist when the photo is refused', async () => {
    const calls = playSite({ finalize: [json(422, { message: 'That photo is damaged.', code: 'image_broken' })] })
    const { sentTo, sent } = sendWith([])
    await expect(sent).rejects.toMatchObject({ status: 422, problem: { code: 'image_broken' } })
    expect(sentTo).toHaveLength(1)
    expect(calls).toHaveLength(2)
  })

  test('does not retry when the session has ended', async () => {
    const signedOut = json(401, { message: 'Please sign in.', code: 'sign_in_required' })
    playSite({ upload: [json(200, { uploadURL: 'https://site.example/1' }), signedOut] })
    const { sent } = sendWith([noAnswer()])
    await expect(sent).rejects.toMatchObject({ message: 'Failed to get upload URL', cause: expect.any(CallError) })
  })

  test('stops at once when it is cancelled, also while it waits', async () => {
    playSite({})
    const controller = new AbortController()
    const { sentTo, sent } = sendWith([noAnswer()], { delays: [1_000_000], signal: controller.signal })
    await expect.poll(() => sentTo).toHaveLength(1)
    const cancelled = new Error('cancelled')
    controller.abort(cancelled)
    await expect(sent).rejects.toBe(cancelled)
  })

  test('says so when there is no address to send it to', async () => {
    playSite({ upload: [noConnection] })
    await expect(sendWith([]).sent).rejects.toThrow('Failed to get upload URL')
  })
})

describe('another try with the same photo', () => {
  const refused = (status: number, code: ProblemCode) => new CallError(status, '', { message: '', code })

  test.each<[string, unknown]>([
    ['no answer', noAnswer()],
    ['there was no address for want of a connection', new NoUploadAddress('', { cause: new TypeError('Failed to fetch') })],
    ['the site could not answer', refused(503, 'unavailable')],
    ['something else could not', new CallError(502, 'Bad Gateway', undefined)],
    ['it was too often', refused(429, 'too_many_requests')],
    ['it took too long', refused(408, 'request_timeout')],
    ['it did not arrive whole', refused(400, 'upload_interrupted')],
    ['its address is no longer good', refused(410, 'upload_expired')],
    ['the disk was full', refused(507, 'disk_full')],
    ['the session had ended', new NoUploadAddress('', { cause: refused(401, 'sign_in_required') })],
  ])('is offered when %s', (_, error) => {
    expect(canTryAgain(error)).toBe(true)
  })

  test.each<[string, unknown]>([
    ['the photo is too large', refused(413, 'image_too_large')],
    ['it is too large to be announced', new NoUploadAddress('', { cause: refused(413, 'image_too_large') })],
    ['it is not a photo', refused(415, 'not_an_image')],
    ['it is damaged', refused(422, 'image_broken')],
    ['the request was wrong', refused(400, 'invalid_input')],
    ['the bucket refused it', new CallError(403, '<Error/>', undefined)],
  ])('is not offered when %s', (_, error) => {
    expect(canTryAgain(error)).toBe(false)
  })
})

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
