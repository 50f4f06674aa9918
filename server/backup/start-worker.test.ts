import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { forkedWorker } from './start-worker.ts'

/** A program in the worker's place: `answer` is called with the order, and may send messages. It ends when it is asked to. */
async function openWorker(answer: string, limits?: { silence: number; stop: number }) {
  const dataDir = await temporaryFolder()
  const file = path.join(dataDir, 'program.mjs')
  const program = `
    const end = (message) => process.send(message, () => process.exit())
    const answer = async ({ job, download }) => { ${answer} }
    process.on('message', (order) => order === 'stop' ? process.exit() : answer(order))`
  await writeFile(file, program)
  const worker = forkedWorker({
    config: readConfig({ DATA_DIR: dataDir }),
    program: { file },
    ...(limits && { limits }),
  })
  onTestFinished(() => worker.stop())
  return worker
}

const complete = { kind: 'complete' } as const
const copy = { kind: 'copy' } as const
const never = 'setInterval(() => {}, 1e6)'

describe('the backup worker', () => {
  test('answers what its job has done, and a problem with its details', async () => {
    const worker = await openWorker(
      `end(job.kind === 'copy' ? { problem: { code: 'backup_too_new', details: { version: 9, newest: 7 } } } : { result: { filename: job.kind } })`,
    )
    expect(await worker.run(complete)).toEqual({ filename: 'complete' })
    await expect(worker.run(copy)).rejects.toMatchObject({ code: 'backup_too_new', details: { version: 9, newest: 7 } })
  })

  test('that ends by itself is one problem with its signal or code, and the next job finds a new one', async () => {
    const worker = await openWorker(`if (job.kind === 'copy') process.exit(3); else end({ result: 'done' })`)
    await expect(worker.run(copy)).rejects.toMatchObject({
      code: 'backup_job_ended',
      cause: new Error('The backup worker ended with 3.'),
    })
    expect(await worker.run(complete)).toBe('done')
  })

  test('in which nothing moves any more is ended, also in a download, and one that reports progress is not', async () => {
    const halting = `if (job) { ${never} } else { process.send({ bytes: 9 }); process.stdout.write('half') }`
    const silent = await openWorker(halting, { silence: 500, stop: 3_000 })
    const reports = `let sent = 0; setInterval(() => (sent += 1) < 105 ? process.send({ progress: { step: 'writing', done: sent, total: 105 } }) : end({ result: 'done' }), 100)`
    // At the lowest priority its start alone takes seconds on a busy machine.
    const reporting = (await openWorker(reports, { silence: 10_000, stop: 3_000 })).run(complete)
    await expect(silent.run(copy)).rejects.toMatchObject({ code: 'backup_stalled' })
    const download = silent.download('').then(({ content }) => buffer(content))
    await expect(download).rejects.toMatchObject({ code: 'backup_stalled' })
    expect(await reporting).toBe('done')
  })

  test('does one of twenty jobs, and the others are refused at once', async () => {
    const worker = await openWorker(`end({ result: 'done' })`)
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => worker.run(complete)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : []))
    expect(refused).toEqual(Array.from({ length: 19 }, () => 'backup_in_progress'))
  })

  test('that copies or tests gives way to a job of a person, and to nothing else', async () => {
    const worker = await openWorker(`if (job.kind === 'copy') { ${never} } else end({ result: 'done' })`)
    const copying = expect(worker.run(copy)).rejects.toMatchObject({ code: 'backup_in_progress' })
    await expect(worker.run({ kind: 'restore-test', filename: '' })).rejects.toMatchObject({ code: 'backup_in_progress' })
    expect(await worker.run(complete)).toBe('done')
    await copying
  })

  test('ends with the site, also where it does not listen, and what the schedule has begun ends before', async () => {
    const worker = await openWorker(`process.removeAllListeners('message'); ${never}`, { silence: 60_000, stop: 100 })
    const nightly = expect(worker.run({ kind: 'night' })).rejects.toMatchObject({ code: 'backup_in_progress' })
    await worker.endScheduled()
    await nightly
    await expect(worker.run(copy)).rejects.toMatchObject({ code: 'backup_in_progress' })
    const made = expect(worker.run(complete)).rejects.toMatchObject({ code: 'backup_in_progress' })
    await Promise.all([worker.stop(), made])
  })

  test('ends when the person who began it has gone, or begins another preview', async () => {
    const worker = await openWorker(`if (job.kind === 'preview') { ${never} } else end({ result: 'done' })`)
    const preview = (ending?: AbortController) =>
      worker.run({ kind: 'preview', source: { filename: '' }, mode: 'restore' }, ending)
    const former = expect(preview()).rejects.toMatchObject({ code: 'backup_in_progress' })
    const closed = new AbortController()
    const ended = expect(preview(closed)).rejects.toMatchObject({ code: 'backup_in_progress' })
    await former
    closed.abort()
    await ended
    expect(await worker.run(complete)).toBe('done')
  })

  test('hands a download over as it comes, beside another job, and breaks it off where it fails', async () => {
    const worker = await openWorker(
      `if (job) { ${never} } else { process.send({ bytes: 4 }); process.stdout.write('half', () => download === 'whole' ? end({ result: null }) : process.exit(1)) }`,
    )
    const copying = expect(worker.run(copy)).rejects.toMatchObject({ code: 'backup_in_progress' })
    const whole = await worker.download('whole')
    expect(whole.bytes).toBe(4)
    expect((await buffer(whole.content)).toString()).toBe('half')
    const broken = await worker.download('broken')
    await expect(buffer(broken.content)).rejects.toMatchObject({ code: 'backup_job_ended' })
    await worker.endScheduled()
    await copying
  })
})
