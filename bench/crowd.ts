import { randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import path from 'node:path'
import * as backups from '#contract/backups.ts'
import * as contacts from '#contract/contacts.admin.ts'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { homePage, sitemap } from '#contract/pages.ts'
import { placeOf } from '#contract/paging.ts'
import { searchProjects } from '#contract/projects.admin.ts'
import { listProjects } from '#contract/projects.ts'
import type { BuiltSite } from '#tests/built-site.ts'
import { signInAt } from '#tests/calls.ts'
import { type Crowd, fill } from './fill.ts'
import { account, call, median, owner, residentMegabytes, rounded, timeOf, withSite } from './site.ts'

const settings = { ...owner, METRICS_PORT: '0', NODE_OPTIONS: '--max-old-space-size=256' }

/**
 * What a visitor and the maker do, with ten thousand models and a hundred thousand messages and little memory: how long each
 * takes, how long it kept other requests waiting at most, and how large the site became. Beside the same with twelve.
 */
export async function benchCrowd() {
  return { few: await live({ models: 12, messages: 12 }), many: await live({ models: 10_000, messages: 100_000 }) }
}

function live(crowd: Crowd) {
  const work = async (site: BuiltSite, dataDir: string) => {
    const port = /"port":(\d+),"msg":"metrics are served"/.exec(site.output.stdout)?.[1]
    const longestPause = async () => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      return Math.round(Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]) * 1000)
    }
    const { reads, changes } = stepsAt(site.url, await signInAt(site.url, account), dataDir)
    const measured: Record<string, object> = {}
    const measure = async (name: string, times: number, step: () => Promise<unknown>) => {
      await longestPause()
      const spent: number[] = []
      for (let time = 0; time < times; time += 1) spent.push(await timeOf(step))
      const milliseconds = rounded(median(spent), 1)
      const megabytes = Math.round(residentMegabytes(site.pid))
      measured[name] = { milliseconds, longestPause: await longestPause(), megabytes }
    }
    await measure('home page, the first time', 1, () => call(site.url, homePage))
    for (const [name, step] of Object.entries(reads)) await measure(name, 5, step)
    for (const [name, step] of Object.entries(changes)) await measure(name, 1, step)
    return measured
  }
  return withSite(work, { settings, prepare: (dataDir) => fill(dataDir, crowd) })
}

function stepsAt(url: string, cookie: string, dataDir: string) {
  let backup = ''
  let exported = ''
  const ask = (endpoint: AnyEndpoint, input: { query?: string; body?: BodyInit } = {}) => {
    return () => call(url, endpoint, { cookie, ...input })
  }
  const messages = (query: string) => ask(contacts.searchContacts, { query: `?limit=20${query}` })
  const restore = async () => {
    const body = new FormData()
    body.append(backups.restoreUpload.field, await openAsBlob(path.join(dataDir, 'files/backups', backup)), 'backup.zip')
    return ask(backups.restoreComplete, { body })()
  }
  const reads = {
    'page of the gallery': ask(listProjects, { query: '?limit=24' }),
    'all models': ask(listProjects),
    sitemap: ask(sitemap),
    'search in the panel': ask(searchProjects, { query: '?limit=24&search=number%201' }),
    'what waits': ask(contacts.readContactNews),
    'page of messages': messages(''),
    'search for a common word': messages('&search=build'),
    'search for a rare word': messages('&search=needle'),
    'all messages': ask(contacts.listContacts),
    'table of messages': ask(contacts.exportContacts),
  }
  const changes = {
    'database backup': ask(backups.createDatabaseBackup),
    export: async () => {
      exported = await ask(backups.exportData)()
    },
    'the same imported': () => {
      const body = exported.slice('{"data":'.length, exported.lastIndexOf(',"filename"'))
      exported = ''
      return ask(backups.importData, { body })()
    },
    'complete backup': async () => {
      backup = JSON.parse(await ask(backups.createCompleteBackup)()).filename
    },
    'the same restored': restore,
    'all messages deleted': async () => {
      const [newest] = JSON.parse(await ask(contacts.listContacts, { query: '?limit=1' })()) as contacts.ContactMessage[]
      return ask(contacts.deleteContacts, { body: JSON.stringify({ upTo: newest && placeOf(newest), except: [] }) })()
    },
    'messages restored': restore,
    '200,000 messages imported': () => ask(backups.importData, { body: manyMessages() })(),
  }
  return { reads, changes }
}

function manyMessages() {
  const details = { name: 'x', email: 'x@example.com' }
  const contacts = Array.from({ length: 200_000 }, (_, number) => ({ id: randomUUID(), ...details, message: `${number}` }))
  return JSON.stringify({ contacts })
}
