import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { scheduler } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { sendContact } from '#contract/contacts.ts'
import { type BuiltSite, startBuiltSite } from '#tests/built-site.ts'
import { post } from '#tests/calls.ts'
import { aContact } from '#tests/factories.ts'
import { layOlderRelease, olderAccount } from '#tests/older-release.ts'
import { contentAt } from '#tests/process/content.ts'
import { median } from './site.ts'

const writers = 4

/** A site that is stopped, or killed while it stops, in the middle of writing: what it said it has must be there. */
export async function benchStops(folder: string, kills: number, random: () => number) {
  const dataDir = path.join(folder, 'data')
  await layOlderRelease(dataDir)
  const settings = { DATA_DIR: dataDir, RATE_LIMITS: 'off' }
  const first = await writeUntilStopped(await startBuiltSite(settings), random)
  const acknowledged = new Set(first.acknowledged)
  const cleanStops = [first.milliseconds]
  const result = {
    stopMilliseconds: 0,
    clean: 0,
    killed: 0,
    acknowledged: 0,
    lost: 0,
    lostFromMainFileAlone: { afterCleanStop: 0, afterKill: 0 },
  }
  // A stop that is over before its kill is one more clean stop.
  while (result.killed < kills && result.clean < 2 * kills) {
    const killAfter = random() * median(cleanStops) * 1.5
    const stopped = await writeUntilStopped(await startBuiltSite(settings), random, killAfter)
    if (!stopped.wasKilled) cleanStops.push(stopped.milliseconds)
    for (const name of stopped.acknowledged) acknowledged.add(name)
    result[stopped.wasKilled ? 'killed' : 'clean'] += 1
    const alone = namesInMainFileAlone(await copyOfMainFile(dataDir, path.join(folder, 'alone')))
    const missing = [...acknowledged].filter((name) => !alone.has(name)).length
    result.lostFromMainFileAlone[stopped.wasKilled ? 'afterKill' : 'afterCleanStop'] += missing
    const again = await startBuiltSite(settings)
    const shown = new Set((await contentAt(again.url, olderAccount)).messages.map(({ name }) => name))
    result.lost += [...acknowledged].filter((name) => !shown.has(name)).length
    await again.stop()
  }
  return { ...result, stopMilliseconds: Math.round(median(cleanStops)), acknowledged: acknowledged.size }
}

/** Writers post all the time; a random while later the site is asked to stop, and killed so long after that, if at all. */
async function writeUntilStopped(site: BuiltSite, random: () => number, killAfter?: number) {
  const acknowledged: string[] = []
  let over = false
  const write = async (writer: number) => {
    for (let sent = 0; !over; sent += 1) {
      const name = `Writer ${writer}, message ${sent}, ${randomUUID()}`
      const response = await post(site.url, sendContact.path, aContact({ name, message: name })).catch(() => undefined)
      if (!response) return
      if (response.status === 200) acknowledged.push(name)
    }
  }
  const writing = Array.from({ length: writers }, (_, writer) => write(writer))
  await scheduler.wait(100 + random() * 300)
  const began = performance.now()
  site.signal('SIGTERM')
  if (killAfter !== undefined) {
    await Promise.race([site.ended, scheduler.wait(killAfter)])
    site.signal('SIGKILL')
  }
  const { code, signal } = await site.ended
  const milliseconds = performance.now() - began
  over = true
  await Promise.all(writing)
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`A stop ended with ${code}: ${site.output.stdout.slice(-500)}`)
  return { acknowledged, milliseconds, wasKilled: signal === 'SIGKILL' }
}

async function copyOfMainFile(dataDir: string, folder: string) {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  const copy = path.join(folder, 'vitrina.sqlite')
  await copyFile(path.join(dataDir, 'vitrina.sqlite'), copy)
  return copy
}

function namesInMainFileAlone(file: string) {
  const database = new DatabaseSync(file)
  try {
    return new Set((database.prepare('select name from contact_messages').all() as { name: string }[]).map(({ name }) => name))
  } finally {
    database.close()
  }
}
