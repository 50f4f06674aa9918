import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { readContactNews } from '#contract/contacts.admin.ts'
import { sendContact } from '#contract/contacts.ts'
import { createProject } from '#contract/projects.admin.ts'
import { listProjects } from '#contract/projects.ts'
import { type BuiltSite, startBuiltSite } from '#tests/built-site.ts'
import { openToVisitors, signInAt } from '#tests/calls.ts'
import { aContact, aProject } from '#tests/factories.ts'
import { startPostgres } from '#tests/postgres.ts'
import { mailSettingsFor, startSmtp } from '#tests/smtp.ts'
import { load } from './load.ts'
import { account, br, call, median, owner, rounded, withFolder, withSite } from './site.ts'

const connections = 20
const seconds = 3

const loads = {
  page: (url: string, shared: number) => load({ url, headers: br, connections: shared, seconds }),
  // The same message twice is stored once: each gets a number, and each run a word of its own.
  contact: (url: string, shared: number) => {
    const body = JSON.stringify(aContact({ message: `${randomUUID()} NUMBER` }))
    const headers = { 'content-type': 'application/json' }
    const request = { method: sendContact.method, path: sendContact.path, headers, body }
    return load({ url, requests: [request], connections: shared, seconds })
  },
}

/** Requests a second of one and of two processes on one PostgreSQL, measured in turn. */
export function benchProcesses() {
  return withFolder(async (folder) => {
    const cluster = await startPostgres()
    const settings = { ...owner, DATABASE_URL: cluster.urlOf('postgres'), RATE_LIMITS: 'off', MALLOC_ARENA_MAX: '2' }
    const first = await startBuiltSite({ ...settings, DATA_DIR: path.join(folder, 'first') })
    const second = await startBuiltSite({ ...settings, DATA_DIR: path.join(folder, 'second') })
    await openToVisitors(first.url, account)
    try {
      return {
        page: await compare([first, second], loads.page),
        contact: await compare([first, second], loads.contact),
        news: await timeNews(first, second),
      }
    } finally {
      await Promise.all([first.stop(), second.stop()])
      await cluster.stop()
    }
  })
}

async function compare(sites: BuiltSite[], send: (typeof loads)['page']) {
  // The same number of visitors, shared out among the processes.
  const measure = async (some: BuiltSite[]) => {
    const sent = await Promise.all(some.map(({ url }) => send(url, connections / some.length)))
    return sent.reduce((total, { perSecond }) => total + perSecond, 0)
  }
  await measure(sites)
  const pairs = []
  for (let round = 0; round < 3; round += 1) pairs.push({ one: await measure(sites.slice(0, 1)), two: await measure(sites) })
  return {
    oneProcess: Math.round(median(pairs.map(({ one }) => one))),
    twoProcesses: Math.round(median(pairs.map(({ two }) => two))),
    ratio: rounded(median(pairs.map(({ one, two }) => two / one))),
  }
}

/** How long after the first has said that a model is saved the second shows it. */
async function timeNews(first: BuiltSite, second: BuiltSite) {
  const cookie = await signInAt(first.url, account)
  const times: number[] = []
  for (let number = 0; number < 20; number += 1) {
    const title = `Model number ${number}.`
    await call(first.url, createProject, { cookie, body: JSON.stringify(aProject({ title })) })
    const began = performance.now()
    while (!(await call(second.url, listProjects)).includes(title));
    times.push(performance.now() - began)
  }
  return { medianMilliseconds: Math.round(median(times)), slowestMilliseconds: Math.round(Math.max(...times)) }
}

/** How many messages a second are accepted without mail, and with it while mails are sent. */
export async function benchMail() {
  const smtp = await startSmtp()
  const accept = (settings: Record<string, string>) =>
    withSite(
      async ({ url }) => {
        const { requests, perSecond } = await loads.contact(url, connections)
        const news = JSON.parse(await call(url, readContactNews, { cookie: await signInAt(url, account) }))
        if (news.counts.new < requests) throw new Error(`${requests} were accepted, and ${news.counts.new} are there.`)
        return perSecond
      },
      { settings: { ...owner, ...settings } },
    )
  const [off, on] = [await accept({}), await accept(mailSettingsFor(smtp))]
  smtp.stop()
  return { perSecond: { mailOff: Math.round(off), mailOn: Math.round(on) }, ratio: rounded(on / off) }
}
