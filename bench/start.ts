import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { signIn } from '#contract/accounts.ts'
import { listProjects } from '#contract/projects.ts'
import { demoAdmin } from '#demo/admin.ts'
import { beginBuiltSite } from '#tests/built-site.ts'
import { post, signInAt } from '#tests/calls.ts'
import { call, cpuMicroseconds, median, residentMegabytes, rounded, timeOf, withSite } from './site.ts'

const rounds = 15

/**
 * How long until an existing site listens and the processor time of that, beside Node alone, started in turn; and what the
 * site holds in memory when idle. Medians: on a busy machine the times grow, and their ratios stay.
 */
export function benchStart() {
  return withSite(async (first, dataDir) => {
    await first.stop()
    const site: Start[] = []
    const bare: Start[] = []
    const idle: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await startBare())
      const began = performance.now()
      const { child, address, ended } = beginBuiltSite({ DATA_DIR: dataDir, MALLOC_ARENA_MAX: '2' })
      const url = (await address) ?? ''
      site.push({ milliseconds: performance.now() - began, processor: cpuMicroseconds(child.pid ?? 0) / 1000 })
      await fetch(url)
      await call(url, listProjects)
      if (round < 3) {
        // V8 collects once nothing has happened for eight seconds.
        await pause(12_000)
        idle.push(residentMegabytes(child.pid ?? 0))
      }
      child.kill()
      await ended
    }
    return {
      listening: compare(site, bare, 'milliseconds'),
      processorTime: compare(site, bare, 'processor'),
      idleMegabytes: Math.round(median(idle)),
    }
  })
}

/** In milliseconds. */
type Start = { milliseconds: number; processor: number }

async function startBare(): Promise<Start> {
  const began = performance.now()
  const script = 'const { user, system } = process.cpuUsage(); fs.writeSync(1, String((user + system) / 1000))'
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script])
  return { milliseconds: performance.now() - began, processor: Number(stdout) }
}

function compare(site: Start[], bare: Start[], part: keyof Start) {
  const [one, other] = [median(site.map((each) => each[part])), median(bare.map((each) => each[part]))]
  return { milliseconds: Math.round(one), bareNodeMilliseconds: Math.round(other), ratio: rounded(one / other) }
}

/** Whether the time of a refusal tells if an account exists. Known and unknown names are tried in turn. */
export function benchSignIn() {
  return withSite(async ({ url }) => {
    const refuse = (username: string) =>
      timeOf(async () => {
        const { status } = await post(url, signIn.path, { username, password: 'not the password' })
        if (status !== 401) throw new Error(`Signing in as ${username} answered ${status}`)
      })
    const known: number[] = []
    const unknown: number[] = []
    await refuse('warm-up')
    for (let round = 0; round < 15; round += 1) {
      // Five failures are free; a success starts the count anew.
      if (round % 3 === 0) await signInAt(url, demoAdmin)
      known.push(await refuse(demoAdmin.username))
      unknown.push(await refuse(`nobody-${round}`))
    }
    return {
      knownMilliseconds: rounded(median(known), 1),
      unknownMilliseconds: rounded(median(unknown), 1),
      spreadOfKnownMilliseconds: rounded(Math.max(...known) - Math.min(...known), 1),
    }
  })
}
