import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { projectRoot } from '#server/project-root.ts'
import { startBuiltSite } from '#tests/built-site.ts'
import { median, settledMegabytes, withSite } from './site.ts'

/** How long until an existing site answers, beside how long Node itself takes to start, and what it holds in memory when idle. */
export async function benchStart() {
  return withSite(async (first, dataDir) => {
    await first.stop()
    const starts: number[] = []
    const bareStarts: number[] = []
    let idle = 0
    for (let round = 0; round < 5; round += 1) {
      bareStarts.push(await timeBareNode())
      const began = performance.now()
      const site = await startBuiltSite({ DATA_DIR: dataDir })
      starts.push(performance.now() - began)
      await fetch(site.url)
      await fetch(new URL('/api/projects', site.url))
      idle = await settledMegabytes(site.pid)
      await site.stop()
    }
    const ready = Math.round(median(starts))
    const bare = Math.round(median(bareStarts))
    return {
      readyMilliseconds: ready,
      bareNodeMilliseconds: bare,
      timesBareNode: Math.round((ready / bare) * 10) / 10,
      idleMegabytes: Math.round(idle),
    }
  })
}

async function timeBareNode() {
  const began = performance.now()
  const child = spawn(process.execPath, ['-e', 'require("node:http")'], { cwd: path.join(projectRoot) })
  await once(child, 'exit')
  return performance.now() - began
}
