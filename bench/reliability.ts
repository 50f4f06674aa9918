import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { layOlderRelease } from '#tests/older-release.ts'
import {
  faultsOfDemo,
  migrationsIn,
  type Outcome,
  olderSiteIn,
  startAndKill,
  startAndLook,
  timeStart,
} from '#tests/process/kill-starts.ts'
import { seededRandom } from '#tests/random.ts'
import { benchDamage } from './damage.ts'
import { benchMistakes } from './mistakes.ts'
import { benchStops } from './stops.ts'

/** Each can be set by its variable, to run less, or to run the same again. */
const counts = {
  seed: Number(process.env.RELIABILITY_SEED ?? Math.floor(Math.random() * 2 ** 31)),
  startKills: Number(process.env.START_KILLS ?? 200),
  stopKills: Number(process.env.STOP_KILLS ?? 100),
  /** Of each of the two commands that a site without its database prints. */
  restoreKills: Number(process.env.RESTORE_KILLS ?? 20),
  /** Of single bits in the database, in each of the two data folders. */
  bitFlips: Number(process.env.BIT_FLIPS ?? 60),
}

/** Kills, damage and honest mistakes. Whatever is done to it, a site is whole, or does not start and names the cure. */
export async function benchReliability() {
  const parts: Record<string, () => Promise<unknown>> = {
    firstStarts: () => killFirstStarts(Math.ceil(counts.startKills / 2)),
    updates: () => killUpdates(Math.floor(counts.startKills / 2)),
    stops: () => inFolder((folder) => benchStops(folder, counts.stopKills, seededRandom(counts.seed + 3))),
    damage: () => inFolder((folder) => benchDamage(folder, counts.bitFlips, seededRandom(counts.seed + 4))),
    mistakes: () => inFolder((folder) => benchMistakes(folder, counts.restoreKills, seededRandom(counts.seed + 5))),
  }
  const wanted = process.env.RELIABILITY_PARTS?.split(',') ?? Object.keys(parts)
  const results: Record<string, unknown> = { ...counts }
  for (const name of wanted) {
    const began = performance.now()
    results[name] = await parts[name]?.()
    const seconds = Math.round((performance.now() - began) / 1000)
    process.stderr.write(`${name}, ${seconds} s: ${JSON.stringify(results[name])}\n`)
  }
  return results
}

async function inFolder<T>(work: (folder: string) => Promise<T>) {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrina-bench-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function killFirstStarts(kills: number) {
  const random = seededRandom(counts.seed + 1)
  return inFolder(async (folder) => {
    const duration = await timeStart({ DATA_DIR: path.join(folder, 'measured') })
    const tally = newTally(duration)
    for (let round = 0; round < kills; round += 1) {
      const dataDir = path.join(folder, `first-${round}`)
      // The tables are made at the beginning, and most of the time goes into the photos: every other kill is an early one.
      const moment = random() * duration * (round % 2 === 0 ? 1.3 : 0.3)
      await startAndKill({ DATA_DIR: dataDir }, moment)
      tally.note(round, moment, migrationsIn(dataDir), await startAndLook({ DATA_DIR: dataDir }, faultsOfDemo))
      await rm(dataDir, { recursive: true, force: true })
    }
    return tally.summary()
  })
}

function killUpdates(kills: number) {
  const random = seededRandom(counts.seed + 2)
  return inFolder(async (folder) => {
    const sample = path.join(folder, 'sample')
    await layOlderRelease(sample)
    addMessages(sample)
    const measured = path.join(folder, 'measured')
    await cp(sample, measured, { recursive: true })
    const duration = await timeStart({ DATA_DIR: measured })
    const tally = newTally(duration)
    for (let round = 0; round < kills; round += 1) {
      const dataDir = path.join(folder, `update-${round}`)
      await cp(sample, dataDir, { recursive: true })
      const older = olderSiteIn(dataDir)
      const moment = random() * duration * 1.3
      await startAndKill({ DATA_DIR: dataDir }, moment)
      tally.note(
        round,
        moment,
        migrationsIn(dataDir),
        await startAndLook({ DATA_DIR: dataDir }, older.faults, older.faultsOnDisk),
      )
      await rm(dataDir, { recursive: true, force: true })
    }
    return tally.summary()
  })
}

/** The sample alone is updated so quickly that hardly a kill would hit the update. */
function addMessages(dataDir: string) {
  const database = new DatabaseSync(path.join(dataDir, 'vitrina.sqlite'))
  database.exec(`
    insert into contact_messages (id, name, email, message)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 20000)
    select printf('00000000-0000-4000-8000-%012d', n), 'Visitor ' || n, 'visitor@example.com', 'Could you build number ' || n || '?' from numbers;
    pragma wal_checkpoint(truncate)`)
  database.close()
}

function newTally(duration: number) {
  const outcomes = { whole: 0, refused: 0, bad: 0 }
  const killedAtMigration: Record<number, number> = {}
  const bad: unknown[] = []
  return {
    note(round: number, moment: number, migrations: number, { outcome, faults }: Outcome) {
      outcomes[outcome] += 1
      killedAtMigration[migrations] = (killedAtMigration[migrations] ?? 0) + 1
      if (outcome !== 'whole') bad.push({ round, moment: Math.round(moment), migrations, outcome, faults })
    },
    summary: () => ({ startMilliseconds: Math.round(duration), ...outcomes, killedAtMigration, notWhole: bad.slice(0, 10) }),
  }
}
