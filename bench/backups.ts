import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { scheduler } from 'node:timers/promises'
import sharp from 'sharp'
import { createCompleteBackup, restoreComplete, restoreUpload } from '#contract/backups.ts'
import { storedAddress } from '#contract/images.ts'
import { homePage } from '#contract/pages.ts'
import { applyMerge } from '#contract/restores.ts'
import { openDatabase } from '#server/database/open.ts'
import { prepareImage } from '#server/features/images/image-tasks.ts'
import { projectRoot } from '#server/project-root.ts'
import { type BuiltSite, startBuiltSite } from '../tests/built-site.ts'
import { signInAt } from '../tests/calls.ts'
import { aStoredProject, storeProject } from '../tests/factories.ts'
import { familyMegabytes, residentMegabytes } from './site.ts'

// npx tsx bench/backups.ts [gigabytes] [kills]: 2 and 500 unless said otherwise; needs `npm run build`, zip and unzip, and
// five times the gigabytes in the folder for temporary files.
const [gigabytes = 2, kills = 500] = process.argv.slice(2).map(Number)
const owner = { ADMIN_USERNAME: 'maker', ADMIN_PASSWORD: 'a long password' }
const folder = await mkdtemp(path.join(tmpdir(), 'vitrina-bench-'))

try {
  const from = path.join(folder, 'from')
  const photos = await fillWithPhotos(from, gigabytes * 1_000_000_000)
  const objects = path.join(from, 'files/objects')

  const zip = timed(() => run('zip', ['-0', '-q', '-r', path.join(folder, 'baseline.zip'), objects]))
  const backup = await observed(from, async (site, cookie) => {
    const answer = await fetch(new URL(createCompleteBackup.path, site.url), { method: 'POST', headers: { cookie } })
    return (await answer.json()) as { filename: string; bytes: number; counts: object }
  })
  report('complete backup', { photos, bytes: backup.result.bytes, ...backup.facts, ratioToZip: ratio(zip, backup.seconds) })

  const unzip = timed(() => run('unzip', ['-q', path.join(folder, 'baseline.zip'), '-d', path.join(folder, 'unzipped')]))
  await rm(path.join(folder, 'unzipped'), { recursive: true })
  const archive = path.join(from, 'files/backups', backup.result.filename)
  const restore = await observed(path.join(folder, 'to'), (site, cookie) => upload(site, cookie, archive))
  report('restore', { answer: restore.result, ...restore.facts, ratioToUnzip: ratio(unzip, restore.seconds) })
  const listed = path.join(folder, 'listed')
  // Where there are files and no database, a site does not begin.
  await (await startBuiltSite({ ...owner, DATA_DIR: listed })).stop()
  await mkdir(path.join(listed, 'files/backups'), { recursive: true })
  await copyFile(archive, path.join(listed, 'files/backups', backup.result.filename))
  const source = { filename: backup.result.filename }
  const fromList = await observed(listed, async (site, cookie) => {
    const body = JSON.stringify({ source, mode: 'restore', without: [] })
    const headers = { cookie, 'content-type': 'application/json' }
    return (await fetch(new URL(applyMerge.path, site.url), { method: applyMerge.method, headers, body })).json()
  })
  report('restore from the list', {
    answer: fromList.result,
    ...fromList.facts,
    ratioToUnzip: ratio(unzip, fromList.seconds),
  })
  const again = await observed(path.join(folder, 'to'), (site, cookie) => upload(site, cookie, archive))
  report('restore again', { answer: again.result, ...again.facts, ratioToUnzip: ratio(unzip, again.seconds) })
} finally {
  await rm(folder, { recursive: true, force: true })
}

if (kills > 0) {
  const env = { ...process.env, RESTORE_KILLS: String(Math.ceil(kills / 2)) }
  const { status } = spawnSync('npx', ['vitest', 'run', 'tests/process/killed-while-restoring'], {
    cwd: projectRoot,
    env,
    stdio: 'inherit',
  })
  report('killed while restoring', { times: Math.ceil(kills / 2) * 2, allWhole: status === 0 })
}

/** Photos of about 2 MB, all different and all such as the site stores: a changed quantisation makes another picture. */
async function fillWithPhotos(dataDir: string, bytes: number) {
  const create = {
    width: 2400,
    height: 1600,
    channels: 3,
    background: '#808080',
    noise: { type: 'gaussian', mean: 120, sigma: 30 },
  } as const
  const { content, hash: _hash, ...facts } = await prepareImage(await sharp({ create }).png().toBuffer())
  const table = content.indexOf(Buffer.from([0xff, 0xdb])) + 5
  const objects = path.join(dataDir, 'files/objects')
  await mkdir(objects, { recursive: true })
  const { db, close } = await openDatabase({ dataDir })
  let count = 0
  for (let written = 0; written < bytes; written += content.length) {
    content[table + 40] = 20 + (count % 200)
    content[table + 41] = 20 + (Math.floor(count / 200) % 200)
    const hash = createHash('sha256').update(content).digest('hex')
    await writeFile(path.join(objects, hash), content)
    await db
      .insertInto('images')
      .values({ hash, bytes: content.length, ...facts })
      .execute()
    await storeProject(db, aStoredProject({ title: `Model ${count}`, imageUrl: storedAddress(hash) }))
    count += 1
  }
  await close()
  return count
}

/** Does the work on a site of its own, while visitors keep asking, and tells what it cost. */
async function observed<T>(dataDir: string, work: (site: BuiltSite, cookie: string) => Promise<T>) {
  const site = await startBuiltSite({ ...owner, DATA_DIR: dataDir, RATE_LIMITS: 'off' })
  try {
    const cookie = await signInAt(site.url, { username: owner.ADMIN_USERNAME, password: owner.ADMIN_PASSWORD })
    await fetch(new URL(homePage.path, site.url))
    await scheduler.wait(2_000)
    const idle = familyMegabytes(site.pid)
    const idleSite = residentMegabytes(site.pid)
    const watching = { over: false, peak: idle, peakOfSite: idleSite, asked: 0, failed: 0, slowest: 0 }
    const visitors = Promise.all([visit(site.url, watching), watchMemory(site.pid, watching)])
    const began = performance.now()
    const result = await work(site, cookie)
    const seconds = (performance.now() - began) / 1000
    watching.over = true
    await visitors
    const facts = {
      seconds: Math.round(seconds * 10) / 10,
      idleMegabytes: Math.round(idle),
      extraMegabytesOfTheSite: Math.round(watching.peakOfSite - idleSite),
      extraMegabytesWithTheEncoder: Math.round(watching.peak - idle),
      visitorsAsked: watching.asked,
      visitorsFailed: watching.failed,
      slowestVisitMilliseconds: Math.round(watching.slowest),
    }
    return { result, seconds, facts }
  } finally {
    await site.kill()
  }
}

type Watching = { over: boolean; peak: number; peakOfSite: number; asked: number; failed: number; slowest: number }

async function visit(url: string, watching: Watching) {
  while (!watching.over) {
    const began = performance.now()
    const answer = await fetch(new URL(homePage.path, url)).catch(() => undefined)
    await answer?.arrayBuffer()
    watching.asked += 1
    if (!answer?.ok) watching.failed += 1
    watching.slowest = Math.max(watching.slowest, performance.now() - began)
    await scheduler.wait(20)
  }
}

async function watchMemory(pid: number, watching: Watching) {
  while (!watching.over) {
    watching.peak = Math.max(watching.peak, familyMegabytes(pid))
    watching.peakOfSite = Math.max(watching.peakOfSite, residentMegabytes(pid))
    // Looking takes processor time itself.
    await scheduler.wait(200)
  }
}

async function upload(site: BuiltSite, cookie: string, file: string) {
  const boundary = 'a-boundary-of-the-bench'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${restoreUpload.field}"; filename="backup.zip"\r\n\r\n`
  const end = `\r\n--${boundary}--\r\n`
  const { size } = await stat(file)
  const sending = request(new URL(restoreComplete.path, site.url), {
    method: restoreComplete.method,
    headers: {
      cookie,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': size + head.length + end.length,
    },
  })
  const answered = once(sending, 'response')
  sending.write(head)
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), sending, { end: false })
  sending.end(end)
  const [response] = await answered
  return json(response) as Promise<{ message: string }>
}

function timed(work: () => void) {
  const began = performance.now()
  work()
  return (performance.now() - began) / 1000
}

function run(program: string, args: string[]) {
  const { status, error } = spawnSync(program, args, { stdio: 'ignore' })
  if (status !== 0) throw new Error(`${program} ended with ${status ?? error?.message}`)
}

function ratio(baseline: number, ours: number) {
  return { baselineSeconds: Math.round(baseline * 10) / 10, ratio: Math.round((baseline / ours) * 100) / 100 }
}

function report(name: string, facts: object) {
  process.stdout.write(`${name}\n${JSON.stringify(facts, null, 2)}\n\n`)
}
