import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { signIn } from '#contract/accounts.ts'
import { listProjects } from '#contract/projects.ts'
import { demoAdmin } from '#demo/admin.ts'
import { startBuiltSite } from '#tests/built-site.ts'
import { post, signInAt } from '#tests/calls.ts'
import { call, median, residentMegabytes, rounded, timeOf, withSite } from './site.ts'

/** How long until an existing site answers, beside how long Node itself takes to start, and what it holds in memory when idle. */
export function benchStart() {
  return withSite(async (first, dataDir) => {
    await first.stop()
    const starts: number[] = []
    const bareStarts: number[] = []
    let idle = 0
    for (let round = 0; round < 5; round += 1) {
      bareStarts.push(await timeOf(() => once(spawn(process.execPath, ['-e', 'require("node:http")']), 'exit')))
      const began = performance.now()
      const site = await startBuiltSite({ DATA_DIR: dataDir, MALLOC_ARENA_MAX: '2' })
      starts.push(performance.now() - began)
      await fetch(site.url)
      await call(site.url, listProjects)
      // The collector gets its turn.
      await pause(3_000)
      idle = residentMegabytes(site.pid)
      await site.stop()
    }
    const [readyMilliseconds, bareNodeMilliseconds] = [Math.round(median(starts)), Math.round(median(bareStarts))]
    return { readyMilliseconds, bareNodeMilliseconds, idleMegabytes: Math.round(idle) }
  })
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
