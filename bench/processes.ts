import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import autocannon from 'autocannon'
import { sendContact } from '#contract/contacts.ts'
import { createProject } from '#contract/projects.admin.ts'
import { listProjects } from '#contract/projects.ts'
import { type BuiltSite, startBuiltSite } from '#tests/built-site.ts'
import { post, signInAt } from '#tests/calls.ts'
import { aContact, aProject } from '#tests/factories.ts'
import { startPostgres } from '#tests/postgres.ts'
import { median } from './site.ts'

const rounds = 3
const seconds = 3
const connections = 20

const account = { username: 'bench', password: 'only for this' }

type Load = { path: string; options?: Omit<autocannon.Options, 'url'> }

const loads: Record<string, Load> = {
  page: { path: '/', options: { headers: { 'accept-encoding': 'br' } } },
  contact: {
    path: sendContact.path,
    options: {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      // The same message twice is stored once: each gets a number of its own.
      body: JSON.stringify(aContact({ message: 'Message [<id>]' })),
      idReplacement: true,
    },
  },
}

/** Requests a second of one and of two processes on one PostgreSQL, measured in turn, and how busy the machine was. */
export async function benchProcesses() {
  const cluster = await startPostgres()
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrina-bench-'))
  const sites: BuiltSite[] = []
  try {
    for (const name of ['first', 'second']) {
      const settings = { DATABASE_URL: cluster.urlOf('postgres'), DATA_DIR: path.join(folder, name), RATE_LIMITS: 'off' }
      sites.push(await startBuiltSite({ ...settings, ADMIN_USERNAME: account.username, ADMIN_PASSWORD: account.password }))
    }
    const results: Record<string, unknown> = {}
    for (const [name, load] of Object.entries(loads)) results[name] = await compare(sites, load)
    results.news = await timeNews(sites as [BuiltSite, BuiltSite])
    return { ...results, machineLoad: loadavg().map((load) => Math.round(load * 10) / 10) }
  } finally {
    for (const site of sites) await site.stop()
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** How long after the first has said that a model is saved the second shows it. */
async function timeNews([first, second]: [BuiltSite, BuiltSite]) {
  const cookie = await signInAt(first.url, account)
  const times: number[] = []
  for (let number = 0; number < 20; number += 1) {
    const title = `Model number ${number}.`
    const saved = await post(first.url, createProject.path, aProject({ title }), { cookie })
    if (!saved.ok) throw new Error(await saved.text())
    const began = performance.now()
    while (!(await (await fetch(new URL(listProjects.path, second.url))).text()).includes(title));
    times.push(performance.now() - began)
  }
  return { medianMilliseconds: Math.round(median(times)), slowestMilliseconds: Math.round(Math.max(...times)) }
}

async function compare(sites: readonly BuiltSite[], load: Load) {
  const pairs: { one: number; two: number }[] = []
  await measure(sites, load, 1)
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ one: await measure(sites.slice(0, 1), load, seconds), two: await measure(sites, load, seconds) })
  }
  return {
    oneProcess: Math.round(median(pairs.map(({ one }) => one))),
    twoProcesses: Math.round(median(pairs.map(({ two }) => two))),
    ratio: Math.round(median(pairs.map(({ one, two }) => two / one)) * 100) / 100,
  }
}

/** The same number of visitors, shared out among the processes. */
async function measure(sites: readonly BuiltSite[], { path: address, options }: Load, duration: number) {
  const runs = sites.map(({ url }) =>
    autocannon({ ...options, url: new URL(address, url).href, duration, connections: connections / sites.length }),
  )
  const results = await Promise.all(runs)
  const failed = results.reduce((total, { non2xx, errors }) => total + non2xx + errors, 0)
  if (failed > 0) throw new Error(`${address}: ${failed} requests failed`)
  return results.reduce((total, { requests }) => total + requests.average, 0)
}
