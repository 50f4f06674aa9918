import { randomUUID } from 'node:crypto'
import {
  type ContactState,
  changeContact,
  deleteContact,
  exportContacts,
  listContacts,
  readContactNews,
  searchContacts,
} from '#contract/contacts.admin.ts'
import { sendContact } from '#contract/contacts.ts'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { openDatabase } from '#server/database/open.ts'
import { insertContacts } from '#server/features/contacts/contacts.queries.ts'
import { type BuiltSite, startBuiltSite } from '#tests/built-site.ts'
import { signInAt } from '#tests/calls.ts'
import { aContact } from '#tests/factories.ts'
import { mailSettingsFor, startSmtp } from '#tests/smtp.ts'
import { median, residentMegabytes, withSite } from './site.ts'

const sizes = { few: 1_000, many: 100_000 }
const account = { username: 'bench', password: 'only for this' }
const owner = { ADMIN_USERNAME: account.username, ADMIN_PASSWORD: account.password }

/**
 * Messages: how many a second are accepted without mail and with it, and what the panel and a visitor wait for with a
 * hundred thousand of them, beside a thousand.
 */
export async function benchContacts() {
  const smtp = await startSmtp()
  const accepted = { mailOff: await accept({}), mailOn: await accept(mailSettingsFor(smtp)) }
  smtp.stop()
  const few = await live(sizes.few)
  const many = await live(sizes.many)
  const besideFew = Object.entries(many.milliseconds).map(([name, time]) => {
    return [name, rounded(time / (few.milliseconds[name as keyof typeof few.milliseconds] ?? Number.NaN))]
  })
  const mailRatio = rounded(accepted.mailOn.perSecond / accepted.mailOff.perSecond)
  return { accepted: { ...accepted, mailRatio }, few, many, besideFew: Object.fromEntries(besideFew) }
}

const seconds = 5
const atOnce = 16

/** Visitors who write as fast as they are answered. */
function accept(settings: Record<string, string>) {
  return withSite(
    async (site) => {
      let accepted = 0
      const times: number[] = []
      const end = performance.now() + seconds * 1000
      const visitor = async () => {
        while (performance.now() < end) {
          times.push(await send(site.url))
          accepted += 1
        }
      }
      await Promise.all(Array.from({ length: atOnce }, visitor))
      const cookie = await signInAt(site.url, account)
      const { counts } = (await (await ask(site.url, cookie, readContactNews)).json()) as { counts: { new: number } }
      // Answered is stored.
      if (counts.new < accepted) throw new Error(`${accepted} were accepted, and ${counts.new} are there.`)
      return {
        perSecond: Math.round(accepted / seconds),
        milliseconds: { median: rounded(median(times)), slowest: rounded(Math.max(...times)) },
      }
    },
    { ...owner, ...settings },
  )
}

async function send(url: string) {
  const began = performance.now()
  const body = JSON.stringify(aContact({ message: randomUUID() }))
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(new URL(sendContact.path, url), { method: sendContact.method, headers, body })
  if (!response.ok) throw new Error(`An inquiry was answered with ${response.status}`)
  await response.arrayBuffer()
  return performance.now() - began
}

function live(count: number) {
  return withSite(async (first, dataDir) => {
    await first.stop()
    await addContacts(dataDir, count)
    const site = await startBuiltSite({ DATA_DIR: dataDir, RATE_LIMITS: 'off' })
    try {
      return await measure(site, await signInAt(site.url, account))
    } finally {
      await site.stop()
    }
  }, owner)
}

async function measure(site: BuiltSite, cookie: string) {
  const time = (endpoint: AnyEndpoint, query = {}) => timeOf(() => ask(site.url, cookie, endpoint, query))
  const pages = { limit: '20' }
  const middle = await middlePlace(site.url, cookie)
  const first = await contactsAt(site.url, cookie, { state: 'closed' })
  const id = first.contacts[0]?.id ?? ''
  const milliseconds = {
    news: await time(readContactNews),
    firstPage: await time(searchContacts, pages),
    pageInTheMiddle: await time(searchContacts, { ...pages, after: middle }),
    spam: await time(searchContacts, { ...pages, state: 'spam' }),
    searchCommon: await time(searchContacts, { ...pages, search: 'build' }),
    searchRare: await time(searchContacts, { ...pages, search: 'needle' }),
    change: await timeOf(() =>
      fetch(new URL(changeContact.path.replace(':id', id), site.url), {
        method: changeContact.method,
        headers: { cookie, 'content-type': 'application/json' },
        body: JSON.stringify({ state: 'quoted' }),
      }),
    ),
    whole: await time(listContacts),
    table: await time(exportContacts),
  }
  const visitor = await visitorBeside(site.url, () => time(exportContacts))
  const deletes: number[] = []
  for (const { id } of first.contacts) deletes.push(await timeOf(() => remove(site.url, cookie, id), 1))
  return {
    milliseconds,
    deleteMilliseconds: { median: rounded(median(deletes)), slowest: rounded(Math.max(...deletes)) },
    visitorMillisecondsWhileExporting: visitor,
    megabytes: Math.round(residentMegabytes(site.pid)),
  }
}

/** What a visitor waits for while the maker does something long. */
async function visitorBeside(url: string, work: () => Promise<unknown>) {
  const times: number[] = []
  let isDone = false
  const done = work().finally(() => {
    isDone = true
  })
  while (!isDone) times.push(await timeOf(() => fetch(url), 1))
  await done
  return { median: rounded(median(times)), slowest: rounded(Math.max(...times)) }
}

async function middlePlace(url: string, cookie: string) {
  let after = ''
  for (let page = 0; page < 4; page += 1) {
    after = (await contactsAt(url, cookie, { limit: '100', ...(after && { after }) })).next ?? after
  }
  return after
}

type Page = { contacts: { id: string }[]; next: string | null }

async function contactsAt(url: string, cookie: string, query: Record<string, string>) {
  return (await (await ask(url, cookie, searchContacts, query)).json()) as Page
}

function ask(url: string, cookie: string, { path, method }: AnyEndpoint, query: Record<string, string> = {}) {
  return fetch(new URL(`${path}?${new URLSearchParams(query)}`, url), { method, headers: { cookie } })
}

function remove(url: string, cookie: string, id: string) {
  return fetch(new URL(deleteContact.path.replace(':id', id), url), { method: deleteContact.method, headers: { cookie } })
}

async function timeOf(work: () => Promise<Response>, rounds = 5) {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now()
    const response = await work()
    if (!response.ok) throw new Error(`${response.url} answered ${response.status}`)
    await response.arrayBuffer()
    times.push(performance.now() - began)
  }
  return rounded(median(times))
}

/** Most are closed, some wait, and one of all has the word that is looked for. */
function stateOf(index: number): ContactState {
  return index % 50 === 0 ? 'new' : index % 20 === 0 ? 'spam' : 'closed'
}

async function addContacts(dataDir: string, count: number) {
  const { db, close } = await openDatabase({ dataDir })
  await db.transaction().execute(async (tx) => {
    const contacts = Array.from({ length: count }, (_, index) => ({
      ...aContact({ name: `Visitor ${index}` }),
      id: randomUUID(),
      message: `Could you build number ${index}? ${index === 7 ? 'Needle. ' : ''}`.repeat(8),
      state: stateOf(index),
      createdAt: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
    }))
    await insertContacts(tx, contacts)
  })
  await close()
}

function rounded(number: number) {
  return Math.round(number * 100) / 100
}
