import { describe, expect, test } from 'vitest'
import { changePassword, createAdmin, signIn } from '#contract/accounts.ts'
import { importData } from '#contract/backups.ts'
import { deleteContacts } from '#contract/contacts.admin.ts'
import { sendContact } from '#contract/contacts.ts'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { finalizeUpload, requestUpload } from '#contract/images.ts'
import { watchChanges } from '#contract/overview.ts'
import { createProject, updateProject } from '#contract/projects.admin.ts'
import { anExport } from '#tests/backups.ts'
import { declaredCalls } from '#tests/declared-calls.ts'
import { aContact, aProject } from '#tests/factories.ts'
import { openTestApp } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'

const declared = await declaredCalls()

/** No database of ours keeps these: SQLite cuts text at NUL, PostgreSQL refuses it, and half a character becomes another. */
const hostile = ['a\0b', 'a\ud800b']

/** The same with each of its texts made hostile. */
function spoilt(value: unknown, text: string): unknown {
  if (typeof value === 'string') return `${value}${text}`
  if (Array.isArray(value)) return value.map((each) => spoilt(each, text))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, spoilt(each, text)]))
}

/** The ways to spoil it: each text alone, so that the others do not hide it, and all of them. */
function* waysToSpoil(body: Record<string, unknown>, text: string) {
  yield spoilt(body, text)
  for (const name of Object.keys(body)) yield { ...body, [name]: spoilt(body[name], text) }
}

const id = '00000000-0000-4000-8000-000000000000'

const bodies: [AnyEndpoint, Record<string, unknown>][] = [
  [sendContact, aContact()],
  [deleteContacts, { ids: [id] }],
  [deleteContacts, { upTo: id, except: [id] }],
  [signIn, { username: 'maker', password: 'brass and pear' }],
  [createAdmin, { username: 'Another', password: 'brass and pear' }],
  [changePassword, { currentPassword: 'not this', newPassword: 'another one' }],
  [createProject, aProject()],
  [updateProject, aProject()],
  [requestUpload, { bytes: 10, contentType: 'image/jpeg' }],
  [finalizeUpload, { imageURL: 'http://localhost/api/objects/upload/x' }],
  [importData, anExport({ projects: [{ ...aProject(), id }], contacts: [{ ...aContact(), id, createdAt: null }] })],
]

describe.each(databases)('text that cannot be stored, on %s', (dialect) => {
  test('in an address or its query never breaks a call', async () => {
    const site = await openTestApp(dialect)
    const maker = await site.signedIn()
    const broken: string[] = []
    // Events have no end.
    for (const endpoint of declared.filter(({ path }) => !path.includes('*') && path !== watchChanges.path)) {
      const names = Object.keys((endpoint.query as { shape?: object } | undefined)?.shape ?? {})
      const params = Object.fromEntries([...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => [name ?? '', 'a\0b']))
      const asked = [{ params }, ...names.map((name) => ({ query: { [name]: 'a\0b' } }))]
      for (const sent of asked) {
        const { statusCode } = await site.call(endpoint, { as: maker, ...sent })
        if (statusCode >= 500) broken.push(`${endpoint.method} ${endpoint.path} ${JSON.stringify(sent)}: ${statusCode}`)
        site.takeLoggedProblems()
      }
      // One of the calls signs out.
      Object.assign(maker, await site.signIn(maker))
    }
    expect(broken).toEqual([])
  })

  test('in a body never breaks a call', async () => {
    const site = await openTestApp(dialect, { config: { rateLimits: false } })
    const maker = await site.signedIn()
    const broken: string[] = []
    for (const [endpoint, body] of bodies) {
      for (const sent of hostile.flatMap((text) => [...waysToSpoil(body, text)])) {
        const as = await site.signIn(maker)
        const { statusCode } = await site.call(endpoint, { as, body: sent })
        if (statusCode >= 500) broken.push(`${endpoint.method} ${endpoint.path} ${JSON.stringify(sent)}: ${statusCode}`)
        site.takeLoggedProblems()
      }
    }
    expect(broken).toEqual([])
  })
})
