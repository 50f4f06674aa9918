import { randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  createCompleteBackup,
  createDatabaseBackup,
  downloadBackup,
  exportData,
  importData,
  listBackups,
  restoreComplete,
  restoreUpload,
} from '#contract/backups.ts'
import { type ContactMessage, deleteContacts, listContacts } from '#contract/contacts.admin.ts'
import { sendContact } from '#contract/contacts.ts'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { readOverview } from '#contract/overview.ts'
import { adminPage, homePage, sitemap } from '#contract/pages.ts'
import { placeOf } from '#contract/paging.ts'
import { findProject } from '#contract/project-in-list.ts'
import { createProject, searchProjects } from '#contract/projects.admin.ts'
import { countProjects, listProjects } from '#contract/projects.ts'
import { emptyObjects } from '#tests/backups.ts'
import { startBuiltSite } from '#tests/built-site.ts'
import { signInAt } from '#tests/calls.ts'
import { aContact, aProject } from '#tests/factories.ts'
import { type Crowd, fill } from './fill.ts'
import { residentMegabytes } from './site.ts'

const account = { username: 'bench', password: 'only for this' }
const megabytesOfHeap = 256

/**
 * Everything a visitor and the maker do, with ten thousand models and a hundred thousand messages and little memory: how long
 * each takes, how long it kept other requests waiting at most, and how large the site became. Beside the same with the
 * models of a demo.
 */
export async function benchCrowd() {
  const few = await live({ models: 12, messages: 12 })
  const many = await live({ models: 10_000, messages: 100_000 })
  return { few, many }
}

async function live(crowd: Crowd) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'vitrina-bench-'))
  try {
    const settings = {
      DATA_DIR: dataDir,
      RATE_LIMITS: 'off',
      METRICS_PORT: '0',
      NODE_OPTIONS: `--max-old-space-size=${megabytesOfHeap}`,
      ADMIN_USERNAME: account.username,
      ADMIN_PASSWORD: account.password,
    }
    await (await startBuiltSite(settings)).stop()
    const oldest = await fill(dataDir, crowd)
    const site = await startBuiltSite(settings)
    try {
      const port = /"port":(\d+),"msg":"metrics are served"/.exec(site.output.stdout)?.[1]
      const metrics = `http://127.0.0.1:${port}/metrics`
      await fetch(metrics)
      const steps: Record<string, object> = {}
      for (const [name, step] of Object.entries(await stepsAt(site.url, dataDir, oldest))) {
        const began = performance.now()
        const answered = await step()
        steps[name] = {
          answered,
          milliseconds: Math.round(performance.now() - began),
          longestPause: await longestPause(metrics),
          megabytes: Math.round(residentMegabytes(site.pid)),
        }
      }
      return { ...crowd, steps, endedWith: (await site.stop()).code }
    } finally {
      await site.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function stepsAt(url: string, dataDir: string, oldest: string) {
  const cookie = await signInAt(url, account)
  let backup = ''
  let exported = ''
  const call = async (
    { method, path: pattern }: AnyEndpoint,
    { params = '', query = '', body = undefined as BodyInit | undefined } = {},
  ) => {
    const isJson = typeof body === 'string'
    const response = await fetch(new URL(pattern.replace(/:\w+/, params) + query, url), {
      method,
      headers: { cookie, 'accept-encoding': 'br', ...(isJson && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${pattern} answered ${response.status}: ${text.slice(0, 500)}`)
    return text
  }
  const sizeOf = async (...given: Parameters<typeof call>) => `${(await call(...given)).length} characters`
  const restore = async () => {
    const body = formOf(await openAsBlob(path.join(dataDir, 'files/backups', backup)))
    return JSON.parse(await call(restoreComplete, { body })).imported
  }
  const refusalOf = async (endpoint: AnyEndpoint, body: BodyInit) =>
    call(endpoint, { body }).then(
      () => 'It was taken.',
      (error: Error) => error.message,
    )
  return {
    'home page': () => sizeOf(homePage),
    'home page in Spanish': () => sizeOf(homePage, { query: '?lang=es' }),
    'page of the oldest model': () => sizeOf(homePage, { query: `?project=${oldest}` }),
    'page of the gallery': () => sizeOf(listProjects, { query: '?limit=24' }),
    'all models': () => sizeOf(listProjects),
    counts: () => call(countProjects),
    'one model and its neighbours': () => sizeOf(findProject, { params: oldest }),
    sitemap: () => sizeOf(sitemap),
    contact: () => call(sendContact, { body: JSON.stringify(aContact()) }),
    panel: () => sizeOf(adminPage),
    overview: () => call(readOverview),
    'page of the panel': () => sizeOf(searchProjects, { query: '?limit=24' }),
    'search in the panel': () => sizeOf(searchProjects, { query: '?limit=24&search=number%201' }),
    'page of messages': () => sizeOf(listContacts, { query: '?limit=60' }),
    'all messages': () => sizeOf(listContacts),
    'new model': () => sizeOf(createProject, { body: JSON.stringify(aProject()) }),
    'home page after it': () => sizeOf(homePage),
    'database backup': () => call(createDatabaseBackup),
    export: async () => {
      exported = await call(exportData)
      return `${exported.length} characters`
    },
    'the same imported': async () => {
      const data = exported.slice('{"data":'.length, exported.lastIndexOf(',"filename"'))
      exported = ''
      return JSON.parse(await call(importData, { body: data })).alreadyThere
    },
    'complete backup': async () => {
      const made = JSON.parse(await call(createCompleteBackup))
      backup = made.filename
      return made.counts
    },
    download: () => sizeOf(downloadBackup, { params: backup }),
    'the same restored': restore,
    'all messages deleted': async () => {
      const [newest] = JSON.parse(await call(listContacts, { query: '?limit=1' })) as ContactMessage[]
      return call(deleteContacts, { body: JSON.stringify({ upTo: newest && placeOf(newest), except: [] }) })
    },
    'messages restored': restore,
    backups: () => sizeOf(listBackups),
    'twenty million empty objects in 59 kB': () => refusalOf(restoreComplete, formOf(emptyObjects(20_000_000))),
    'forty megabytes of brackets': () => refusalOf(importData, '['.repeat(40_000_000)),
    'two hundred thousand messages': async () => JSON.parse(await call(importData, { body: manyMessages() })).added,
  }
}

function formOf(archive: Blob | Buffer) {
  const form = new FormData()
  form.append(
    restoreUpload.field,
    archive instanceof Blob ? archive : new Blob([new Uint8Array(archive)]),
    'complete_backup.zip',
  )
  return form
}

function manyMessages() {
  const contacts = Array.from({ length: 200_000 }, (_, number) => ({
    id: randomUUID(),
    name: 'x',
    email: 'x@example.com',
    message: `${number}`,
  }))
  return JSON.stringify({ contacts })
}

/** In milliseconds; counted anew with each asking. */
async function longestPause(metrics: string) {
  const text = await (await fetch(metrics)).text()
  return Math.round(Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]) * 1000)
}
