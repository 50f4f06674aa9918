import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import path from 'node:path'
import { scheduler } from 'node:timers/promises'
import sharp from 'sharp'
import { createCompleteBackup } from '#contract/backups.ts'
import { storedAddress } from '#contract/images.ts'
import { homePage } from '#contract/pages.ts'
import { applyMerge, previewMerge, undoMerge } from '#contract/restores.ts'
import { openDatabase } from '#server/database/open.ts'
import { prepareImage } from '#server/features/images/image-tasks.ts'
import { startBuiltSite } from '#tests/built-site.ts'
import { signInAt } from '#tests/calls.ts'
import { aStoredProject, storeProject } from '#tests/factories.ts'
import {
  account,
  br,
  call,
  familyMegabytes,
  owner,
  residentMegabytes,
  rounded,
  timeOf,
  watchMemory,
  withFolder,
} from './site.ts'

/** Needs zip and unzip, and five times as much in the folder for temporary files. */
const gigabytes = Number(process.env.GIGABYTES ?? 2)

/** A complete backup, and a preview, a restore and an undo of it, beside what zip, unzip and decoding take for the same files. */
export function benchBackups() {
  return withFolder(async (folder) => {
    const at = (name: string) => path.join(folder, name)
    const photos = await fillWithPhotos(at('from'), gigabytes * 1_000_000_000)
    const objects = at('from/files/objects')
    const zip = await timeOf(async () => run('zip', '-0', '-q', '-r', at('all.zip'), objects))
    const unzip = await timeOf(async () => run('unzip', '-q', at('all.zip'), '-d', at('unzipped')))
    const decoding = await timeOf(async () => {
      for (const name of await readdir(objects))
        await sharp(await readFile(path.join(objects, name)))
          .raw()
          .toBuffer()
    })
    for (const name of ['all.zip', 'unzipped']) await rm(at(name), { recursive: true })

    let filename = ''
    const backup = await observe(at('from'), zip, async (url, cookie) => {
      filename = JSON.parse(await call(url, createCompleteBackup, { cookie })).filename
    })
    const source = { filename }
    // A first start beside a backup would look like a lost database.
    await (await startBuiltSite({ ...owner, DATA_DIR: at('to') })).stop()
    await mkdir(at('to/files/backups'), { recursive: true })
    await rename(path.join(at('from/files/backups'), filename), path.join(at('to/files/backups'), filename))
    const preview = await observe(at('to'), unzip, (url, cookie) =>
      call(url, previewMerge, { cookie, body: JSON.stringify({ source, mode: 'restore' }) }),
    )
    let id = ''
    const restore = await observe(at('to'), unzip + decoding, async (url, cookie) => {
      const body = JSON.stringify({ source, mode: 'restore', without: [] })
      id = JSON.parse(await call(url, applyMerge, { cookie, body })).id
    })
    const undo = await observe(at('to'), unzip, (url, cookie) => call(url, undoMerge, { cookie, params: id }))
    return { photos, gigabytes, backup, preview, restore, undo }
  })
}

/** Photos of about 2 MB, all different and all such as the site stores: a changed quantisation makes another picture. */
async function fillWithPhotos(dataDir: string, bytes: number) {
  const noise = { type: 'gaussian', mean: 120, sigma: 30 } as const
  const picture = sharp({ create: { width: 2400, height: 1600, channels: 3, background: '#808080', noise } })
  const { content, hash: _hash, ...facts } = await prepareImage(await picture.png().toBuffer())
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
    const image = { hash, bytes: content.length, ...facts }
    await db.insertInto('images').values(image).execute()
    await storeProject(db, aStoredProject({ title: `Model ${count}`, imageUrl: storedAddress(hash) }))
    count += 1
  }
  await close()
  return count
}

/** Does the work on a site of its own, while a visitor keeps asking, and tells what it cost. */
async function observe(dataDir: string, baseline: number, work: (url: string, cookie: string) => Promise<unknown>) {
  const site = await startBuiltSite({ ...owner, DATA_DIR: dataDir, RATE_LIMITS: 'off', MALLOC_ARENA_MAX: '2' })
  try {
    const cookie = await signInAt(site.url, account)
    await call(site.url, homePage)
    await scheduler.wait(2_000)
    const idle = { own: residentMegabytes(site.pid), family: familyMegabytes(site.pid) }
    const { peak, stop } = watchMemory(site.pid, 200)
    let isOver = false
    const visits: number[] = []
    const visitor = (async () => {
      for (; !isOver; await scheduler.wait(20)) visits.push(await timeOf(() => visit(new URL(homePage.path, site.url))))
    })()
    // Where the work fails, that is what is told, and not that the site is gone.
    visitor.catch(() => {})
    const milliseconds = await timeOf(() => work(site.url, cookie))
    isOver = true
    await visitor
    stop()
    return {
      seconds: rounded(milliseconds / 1000, 1),
      baselineSeconds: rounded(baseline / 1000, 1),
      ratio: rounded(baseline / milliseconds),
      megabytesOverIdle: Math.round(peak.own - idle.own),
      megabytesOverIdleWithPrograms: Math.round(peak.family - idle.family),
      slowestVisitMilliseconds: Math.round(Math.max(...visits)),
    }
  } finally {
    await site.kill()
  }
}

const agent = new http.Agent({ keepAlive: true })

/** Until the last byte has come. What the visitor's own program then does with it waits for the processor like any other. */
async function visit(url: URL) {
  const [answer] = (await once(http.get(url, { agent, headers: br }), 'response')) as [http.IncomingMessage]
  if (answer.statusCode !== 200) throw new Error(`The page was answered with ${answer.statusCode}`)
  await once(answer.resume(), 'end')
}

function run(program: string, ...args: string[]) {
  const { status, error } = spawnSync(program, args, { stdio: 'ignore' })
  if (status !== 0) throw new Error(`${program} ended with ${status ?? error?.message}. Install it: apt-get install ${program}`)
}
