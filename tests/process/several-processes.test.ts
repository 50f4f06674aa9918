import { randomInt } from 'node:crypto'
import { scheduler } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { checkSession, listAdmins, signIn } from '#contract/admins.ts'
import { createCompleteBackup, downloadBackup, exportData, listBackups, restoreComplete } from '#contract/backups.ts'
import { listContacts, sendContact } from '#contract/contacts.ts'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { checkReadiness } from '#contract/health.ts'
import { finalizeUpload, requestUpload } from '#contract/images.ts'
import { createProject, deleteProject, listProjects, type Project } from '#contract/projects.ts'
import { formWith } from '../backups.ts'
import type { BuiltSite } from '../built-site.ts'
import { anInquiry, aProject } from '../factories.ts'
import { aGrainyPhoto } from '../photos.ts'
import { startPostgres } from '../postgres.ts'
import { startRoundRobin } from '../round-robin.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { testBucket } from '../test-storage.ts'
import { owner, post, startSite } from './site.ts'

const patience = { timeout: 120_000, interval: 200 }

async function settingsForAll(databaseUrl: string) {
  const { bucket, endpoint = '', region, pathStyle, prefix, credentials } = await testBucket()
  return {
    DATABASE_URL: databaseUrl,
    // One folder for all of them: nothing that matters is in it.
    DATA_DIR: await temporaryFolder(),
    S3_BUCKET: bucket,
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_PATH_STYLE: String(pathStyle),
    S3_PREFIX: prefix,
    S3_ACCESS_KEY_ID: credentials?.accessKeyId ?? '',
    S3_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? '',
    RATE_LIMITS: 'off',
  }
}

type Sent = { body?: unknown; params?: Record<string, string> }

/** The maker, who never knows which process answers. */
function makerWith(cookie: string) {
  const call = (url: string, endpoint: AnyEndpoint, { body, params = {} }: Sent = {}) =>
    fetch(
      new URL(
        endpoint.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? ''),
        url,
      ),
      {
        method: endpoint.method,
        headers: { cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
    )
  return {
    call,
    async ask<T>(url: string, endpoint: AnyEndpoint, sent: Sent = {}): Promise<T> {
      const response = await call(url, endpoint, sent)
      if (response.status !== 200) throw new Error(`${endpoint.path} answered ${response.status}: ${await response.text()}`)
      return (await response.json()) as T
    },
    restore(url: string, archive: Buffer) {
      const form = formWith(archive)
      return fetch(new URL(restoreComplete.path, url), {
        method: 'POST',
        headers: { cookie, ...form.headers },
        body: new Uint8Array(form.body),
      })
    },
  }
}

type Maker = ReturnType<typeof makerWith>

async function signedIn(url: string) {
  const response = await post(url, signIn.path, { username: owner.ADMIN_USERNAME, password: owner.ADMIN_PASSWORD })
  expect(response.status).toBe(200)
  return makerWith(response.headers.get('set-cookie')?.split(';')[0] ?? '')
}

/** People who read and write all the while. What they were told they remember. */
function startVisitors(url: string, isDatabaseAway: () => boolean) {
  const acknowledged: string[] = []
  const wrong: string[] = []
  let failed = 0
  let read = 0
  let stopped = false

  /** A 503 is honest while the database is away, and at no other time. */
  const note = (what: string, status: number, wasAway: boolean) => {
    if (status === 200) return true
    if (status === 502) failed += 1
    else if (!(status === 503 && (wasAway || isDatabaseAway()))) wrong.push(`${what}: ${status}`)
    return false
  }

  const reader = async (path: string) => {
    while (!stopped) {
      const wasAway = isDatabaseAway()
      try {
        const response = await fetch(new URL(path, url))
        await response.arrayBuffer()
        if (note(path, response.status, wasAway)) read += 1
      } catch {
        failed += 1
      }
      await scheduler.wait(20)
    }
  }
  const writer = async (number: number) => {
    for (let sent = 0; !stopped; sent += 1) {
      const name = `Writer ${number}, message ${sent}`
      const wasAway = isDatabaseAway()
      try {
        const response = await post(url, sendContact.path, anInquiry({ name }))
        await response.arrayBuffer()
        if (note(name, response.status, wasAway)) acknowledged.push(name)
      } catch {
        failed += 1
      }
      await scheduler.wait(20)
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

async function uploadThrough(maker: Maker, urls: { first: string; second: string }, photo: Buffer) {
  const { uploadURL } = await maker.ask<{ uploadURL: string }>(urls.first, requestUpload)
  // Where it is the site itself that takes the bytes, another of its processes takes them.
  const target = uploadURL.replace(new URL(urls.first).origin, new URL(urls.second).origin)
  const cookie = target === uploadURL ? {} : { cookie: maker.cookie }
  const sent = await fetch(target, {
    method: 'PUT',
    headers: { 'content-type': 'image/jpeg', ...cookie },
    body: new Uint8Array(photo),
  })
  expect(sent.status).toBe(200)
  return uploadURL
}
