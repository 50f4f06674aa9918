import { scheduler } from 'node:timers/promises'
import { sendContact } from '#contract/contacts.ts'
import { listProjects } from '#contract/projects.ts'
import { post } from '../calls.ts'
import { aContact } from '../factories.ts'

/** Readers and writers that go on all the while, and remember each message that was acknowledged. */
export function startVisitors(url: string, isDatabaseAway: () => boolean) {
  const acknowledged: string[] = []
  const wrong: string[] = []
  let failed = 0
  let read = 0
  let stopped = false

  /** A 503 is honest while the database is away, and at no other time. Whether a 502 is, the load balancer knows. */
  const note = (what: string, status: number, wasAway: boolean) => {
    if (status === 502) failed += 1
    else if (status !== 200 && !(status === 503 && (wasAway || isDatabaseAway()))) wrong.push(`${what}: ${status}`)
    return status === 200
  }
  const again = async (what: string, visit: () => Promise<Response>, glad: () => void) => {
    const wasAway = isDatabaseAway()
    try {
      const response = await visit()
      await response.arrayBuffer()
      if (note(what, response.status, wasAway)) glad()
    } catch {
      failed += 1
    }
    await scheduler.wait(100)
  }
  const reader = async (path: string) => {
    const visit = () => fetch(new URL(path, url))
    while (!stopped)
      await again(path, visit, () => {
        read += 1
      })
  }
  const writer = async (number: number) => {
    for (let sent = 0; !stopped; sent += 1) {
      const name = `Writer ${number}, message ${sent}`
      const visit = () => post(url, sendContact.path, aContact({ name }))
      await again(name, visit, () => acknowledged.push(name))
    }
  }
  const all = Promise.all([reader('/'), reader('/?lang=es'), reader(listProjects.path), writer(1), writer(2)])
  return {
    acknowledged,
    wrong,
    counts: () => ({ failed, read, written: acknowledged.length }),
    async stop() {
      stopped = true
      await all
    },
  }
}
