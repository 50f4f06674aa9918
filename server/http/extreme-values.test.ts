import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod/mini'
import { importData, incomingContact, incomingProject } from '#contract/backups.ts'
import { projectTypes } from '#contract/contact-fields.ts'
import {
  contactStates,
  deleteContacts,
  exportContacts,
  readContact,
  searchContacts,
  spamReasons,
} from '#contract/contacts.admin.ts'
import { contactDraft, sendContact } from '#contract/contacts.ts'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { categories } from '#contract/first-visit.ts'
import { languages } from '#contract/languages.ts'
import { watchChanges } from '#contract/overview.ts'
import { adminPage, homePage, signInPage } from '#contract/pages.ts'
import { searchProjects } from '#contract/projects.admin.ts'
import { changeSiteDraft, publishSite, readSiteContent } from '#contract/site-content.ts'
import { accents, commissionStates, faultOf, type OwnFields, ruleOfField, siteFields, tidied } from '#contract/site-fields.ts'
import { readConfig } from '#server/config.ts'
import { declaredCalls } from '#tests/declared-calls.ts'
import { aContact, aProject, storeVersion } from '#tests/factories.ts'
import { hostileValues } from '#tests/hostile-requests.ts'
import { mailSettingsFor, startSmtp } from '#tests/smtp.ts'
import { openTestApp, type TestApp } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'

const years = ['0000', '0001', '0026', '0999', '1000', '1582', '1999', '2000', '2100', '2101', '9999']
const days = years.flatMap((year) => [`${year}-01-01`, `${year}-12-31`])
const candidates: readonly unknown[] = [
  ...hostileValues,
  ...days,
  ...days.map((day) => `${day}T23:59:59.999Z`),
  '=1+1',
  '=?utf-8?q?=41?=',
  '1e999',
  -1e15,
  1e15,
  '0 100',
  'QZ',
  '+52 442 555 0142',
  `https://example.com/${'x'.repeat(250)}`,
  `${'x'.repeat(60)}@example.com`,
]

const choices = [
  ...[categories, projectTypes, contactStates, spamReasons, languages, commissionStates, accents].flat(),
  'yes',
] as const

type Accepts = (value: unknown) => boolean

/** The longest text of such characters that is accepted, if any is. */
function longestOf(character: string, accepts: Accepts) {
  let [least, most] = [0, 25_000]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (accepts(character.repeat(middle))) least = middle
    else most = middle - 1
  }
  return least > 0 ? [character.repeat(least)] : []
}

const extremesOf = (accepts: Accepts) => [
  ...candidates.filter(accepts),
  ...(accepts('W') ? [] : choices.filter(accepts)),
  ...['W', '🚂', 'é\u0301\u0301', '\u00ad\u200b'].flatMap((character) => longestOf(character, accepts)),
]

/** Records that together have each extreme of each field; a new field is covered by its schema. */
function recordsOf(base: Record<string, unknown>, shape: Record<string, z.core.$ZodType>, without: string[] = []) {
  const fields = Object.entries(shape).filter(([name]) => !without.includes(name))
  const extremes = fields.map(([name, schema]) => [name, extremesOf((value) => z.safeParse(schema, value).success)] as const)
  const most = Math.max(...extremes.map(([, values]) => values.length))
  return Array.from({ length: most }, (_, index) => ({
    ...base,
    ...Object.fromEntries(
      extremes.flatMap(([name, values]) => (values.length > 0 ? [[name, values[index % values.length]]] : [])),
    ),
  }))
}

/** Answers of 5xx, by what was called. */
function watchFailures(site: TestApp, as: { cookie: string }) {
  const failed: string[] = []
  return {
    failed,
    async open(endpoint: AnyEndpoint, sent: Parameters<TestApp['call']>[1] = {}, note: unknown = '') {
      const response = await site.call(endpoint, { as, ...sent })
      const problems = site.takeLoggedProblems()
      if (response.statusCode >= 500) {
        failed.push(
          `${endpoint.path} ${JSON.stringify(sent)} ${JSON.stringify(note)}: ${JSON.stringify(problems)}`.slice(0, 600),
        )
      }
      return response
    },
  }
}

const plainReads = (await declaredCalls()).filter(
  // Events have no end.
  ({ method, path }) => method === 'GET' && !/[:*]/.test(path) && path !== watchChanges.path,
)

describe.each(databases)('with values at the edge of what is allowed, on %s', (dialect) => {
  test('every page and list of models and messages opens', async () => {
    const smtp = await startSmtp()
    onTestFinished(() => smtp.stop())
    const { mail } = readConfig(mailSettingsFor(smtp))
    const site = await openTestApp(dialect, { config: { rateLimits: false, publicUrl: 'https://models.example', mail } })
    const as = await site.signedIn()
    const { failed, open } = watchFailures(site, as)

    // What lacks a description, say, can be a draft; what lacks everything, one with a title.
    const projects = recordsOf(aProject(), incomingProject.shape, ['id', 'addresses', 'draft']).map((project) => {
      const asDraft = { ...project, draft: true }
      const isTaken = (each: object) => incomingProject.safeParse(each).success
      return [project, asDraft].find(isTaken) ?? { ...asDraft, title: 'Draft' }
    })
    const contacts = recordsOf({ ...aContact(), createdAt: null }, incomingContact.shape, ['id'])
    expect((await open(importData, { body: { projects, contacts } })).json()).toMatchObject({
      imported: { projects: projects.length, contacts: contacts.length },
    })
    for (const body of recordsOf(aContact(), contactDraft.shape, ['photos', 'website'])) await open(sendContact, { body })
    await expect
      .poll(() => site.db.selectFrom('outbox').select('state').distinct().execute(), { timeout: 20_000, interval: 20 })
      .toEqual([{ state: 'sent' }])

    for (const endpoint of plainReads) await open(endpoint)
    const shown = (await site.ask(searchProjects, { as, query: { limit: '100' } })).projects
    for (const { slug } of shown) await open(homePage, { query: { project: slug, shown: '240' } }, slug)
    for (const lang of languages) {
      await open(homePage, { query: { lang, shown: '240' } })
      await open(exportContacts, { query: { lang } })
    }
    const { contacts: stored } = await site.ask(searchContacts, { as, query: { limit: '100' } })
    for (const { id } of stored) await open(readContact, { params: { id } })
    expect(failed).toEqual([])
  })
})

const paged = (await declaredCalls()).flatMap((endpoint) => {
  const names = Object.keys((endpoint.query as { shape?: object } | undefined)?.shape ?? {})
  return names.filter((name) => name === 'after' || name === 'upTo').map((name) => [endpoint, name] as const)
})

test.each(databases)('no place in a list breaks a call, on %s', async (dialect) => {
  const site = await openTestApp(dialect, { config: { rateLimits: false } })
  const { failed, open } = watchFailures(site, await site.signedIn())
  const id = '00000000-0000-4000-8000-000000000000'
  const moments = years.map((year) => `${year}-01-01T00:00:00.000Z`)
  expect(paged.length).toBeGreaterThan(3)
  for (const value of [...moments, '1e+999', '-1e+999', '9'.repeat(60), '0']) {
    for (const place of [`${value},${id}`, `new,${value},${id}`]) {
      for (const [endpoint, name] of paged) await open(endpoint, { query: { [name]: place } })
      await open(deleteContacts, { body: { upTo: place, except: [] } })
    }
  }
  expect(failed).toEqual([])
})

const pages: [AnyEndpoint, Record<string, string>][] = [
  ...languages.map((lang): [AnyEndpoint, Record<string, string>] => [homePage, { lang }]),
  [adminPage, {}],
  [signInPage, {}],
]

/** Fields with four of their extremes in turn, the longest among them, in every state of the commissions. */
function siteRounds() {
  const byField = siteFields.flatMap((field) => {
    const { kind } = ruleOfField(field)
    const isTaken = (value: unknown) => typeof value === 'string' && value === tidied(value) && !faultOf(field, value)
    const taken = extremesOf(isTaken) as string[]
    const values = [...new Set([...taken.slice(0, 2), ...taken.slice(-2)])]
    return kind === 'photo' || values.length === 0 ? [] : [{ field, kind, values }]
  })
  const states = commissionStates.length
  return Array.from({ length: 4 * states }, (_, round) => {
    const turn = { choice: round, other: Math.floor(round / states) }
    const fields = byField.map(({ field, kind, values }) => {
      return [field, values[turn[kind === 'choice' ? 'choice' : 'other'] % values.length]]
    })
    return Object.fromEntries(fields) as OwnFields
  })
}

test('with each field of the site at its edge, every page opens', async () => {
  const site = await openTestApp('sqlite', { config: { rateLimits: false } })
  const as = await site.signedIn()
  const { failed, open } = watchFailures(site, as)
  for (const changes of siteRounds()) {
    const { revision } = await site.ask(readSiteContent, { as })
    const drafted = await site.ask(changeSiteDraft, { as, body: { revision, changes } })
    await open(homePage, { query: { preview: 'draft' } }, changes)
    await open(publishSite, { body: { revision: drafted.revision } })
    for (const [endpoint, query] of pages) await open(endpoint, { query }, changes)
    await open(signInPage, { as: { cookie: '' } }, changes)
  }
  expect(failed).toEqual([])
})

test.each(['', 'soon', '0000-01-01', '0026-03-01', '1000-01-01', '9999-12-31'])(
  'with %j in the database as every field of the site, every page opens',
  async (value) => {
    const site = await openTestApp('sqlite')
    const as = await site.signedIn()
    const all = Object.fromEntries(siteFields.map((field) => [field, value]))
    await storeVersion(site.db, { ...all, 'maker.commissions.state': 'from' })
    const { failed, open } = watchFailures(site, as)
    for (const [endpoint, query] of pages) await open(endpoint, { query })
    await open(signInPage, { as: { cookie: '' } })
    expect(failed).toEqual([])
  },
)
