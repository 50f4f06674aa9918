import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { createCompleteBackup, downloadBackup, exportData } from '#contract/backups.ts'
import { sendContact } from '#contract/contacts.ts'
import { variantAddress } from '#contract/first-visit.ts'
import { createProject, deleteProject, updateProject } from '#contract/projects.admin.ts'
import { listProjects, type Project } from '#contract/projects.ts'
import { demoAdmin } from '#demo/admin.ts'
import { post, signInAt } from '#tests/calls.ts'
import { aContact, aProject } from '#tests/factories.ts'
import { uploadPhoto } from '#tests/upload-photo.ts'
import { allCopiesMade, childrenOf, median, residentMegabytes, withSite } from './site.ts'

const minutes = Number(process.env.SOAK_MINUTES ?? 60)
/** Kinds of requests, with commas between them; all of them when it is not set. */
const only = process.env.SOAK_ONLY?.split(',')
const restMinutes = 2
const sampleEvery = 10
const stretchMinutes = 10

type Sample = { minute: number; site: number; encoder: number }

/** What a site and its encoder hold in memory while it is used in every way at once, modestly, for an hour. */
export function benchSoak() {
  return withSite(async ({ url, pid, output }) => {
    const projects = await allCopiesMade(url)
    const use = Object.entries(await everyUse(url, projects)).filter(([name]) => !only || only.includes(name))
    await pause(restMinutes * 60_000)
    const idle = residentMegabytes(pid)
    const samples: Sample[] = []
    const done: Record<string, number> = {}
    const failures: string[] = []
    const began = performance.now()
    for (let second = 0; second < minutes * 60; second += 1) {
      if (second % sampleEvery === 0) samples.push(sampleAt(pid, second / 60))
      if (second % (stretchMinutes * 60) === 0) process.stderr.write(`${second / 60} min: ${JSON.stringify(samples.at(-1))}\n`)
      for (const [name, { every, first = 0, act }] of use) {
        if (second % every !== first) continue
        await act(second).then(
          () => {
            done[name] = (done[name] ?? 0) + 1
          },
          (error: unknown) => failures.push(`${name} after ${second} s: ${String(error)}`),
        )
      }
      await pause(Math.max(0, began + (second + 1) * 1000 - performance.now()))
    }
    await pause(restMinutes * 60_000)
    return {
      minutes,
      done,
      megabytesAtRest: { before: rounded(idle), after: rounded(residentMegabytes(pid)) },
      failures: { count: failures.length, first: failures.slice(0, 5) },
      loggedErrors: output.stdout.split('\n').filter((line) => /"level":"?(50|60|error|fatal)/.test(line)).length,
      ...summaryOf(samples),
    }
  })
}

function sampleAt(pid: number, minute: number): Sample {
  return {
    minute,
    site: residentMegabytes(pid),
    encoder: childrenOf(pid).reduce((sum, child) => sum + residentMegabytes(child), 0),
  }
}

function summaryOf(samples: readonly Sample[]) {
  const stretches = Array.from({ length: Math.ceil(minutes / stretchMinutes) }, (_, index) =>
    samples.filter(({ minute }) => Math.floor(minute / stretchMinutes) === index),
  )
  const lastHalf = samples.filter(({ minute }) => minute >= minutes / 2)
  const encoders = samples.map(({ encoder }) => encoder).filter((megabytes) => megabytes > 0)
  return {
    siteMegabytes: {
      start: rounded(samples[0]?.site ?? 0),
      mediansOfTenMinutes: stretches.map((stretch) => rounded(median(stretch.map(({ site }) => site)))),
      most: rounded(Math.max(...samples.map(({ site }) => site))),
      slopeOfLastHalfPerHour: rounded(slope(lastHalf) * 60),
    },
    encoderMegabytes: {
      samplesWithOne: encoders.length,
      median: rounded(median(encoders)),
      most: rounded(Math.max(...encoders)),
    },
    samples: samples.length,
  }
}

/** Megabytes a minute, by least squares. */
function slope(samples: readonly Sample[]) {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const middle = { minute: mean(samples.map(({ minute }) => minute)), site: mean(samples.map(({ site }) => site)) }
  const spread = samples.reduce((sum, { minute }) => sum + (minute - middle.minute) ** 2, 0)
  return samples.reduce((sum, { minute, site }) => sum + (minute - middle.minute) * (site - middle.site), 0) / spread
}

function rounded(megabytes: number) {
  return Math.round(megabytes * 10) / 10
}

/** The seconds between two of a kind, and until the first. */
type Use = { every: number; first?: number; act: (second: number) => Promise<unknown> }

async function everyUse(url: string, projects: readonly Project[]): Promise<Record<string, Use>> {
  let cookie = await signInAt(url, demoAdmin)
  let latestBackup = ''
  const one = (second: number) => projects[second % projects.length] as Project
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(new URL(path, url), { headers })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  }
  const send = async (path: string, body: unknown, method = 'POST') => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 200)}`)
    return JSON.parse(text) as Record<string, string>
  }
  const addAndRemove = async (second: number, imageUrl: string) => {
    const { id = '' } = await send(createProject.path, aProject({ title: `Model of second ${second}`, imageUrl }))
    await send(updateProject.path.replace(':id', id), { description: `Changed in second ${second}.` }, 'PUT')
    await get(imageUrl)
    await send(deleteProject.path.replace(':id', id), undefined, 'DELETE')
  }
  return {
    page: { every: 1, act: () => get('/') },
    pageInSpanish: { every: 2, act: () => get('/?lang=es') },
    project: { every: 2, act: (second) => get(`/?project=${one(second).id}`) },
    list: { every: 3, act: () => get(listProjects.path) },
    copyOfPhoto: { every: 1, act: (second) => get(variantAddress(one(second).imageUrl, 960, 'avif')) },
    photo: { every: 5, act: (second) => get(one(second).imageUrl) },
    message: {
      every: 5,
      act: async (second) => {
        const { status } = await post(url, sendContact.path, aContact({ message: `Sent in second ${second}.` }))
        if (status !== 200) throw new Error(`A message was answered ${status}`)
      },
    },
    signIn: {
      every: 60,
      first: 59,
      act: async () => {
        cookie = await signInAt(url, demoAdmin)
      },
    },
    projectMadeAndDeleted: { every: 15, act: (second) => addAndRemove(second, one(second).imageUrl) },
    upload: {
      every: 150,
      first: 20,
      act: async (second) => addAndRemove(second, await uploadPhoto(url, cookie, await newPhoto(second))),
    },
    export: { every: 290, first: 30, act: () => send(exportData.path, undefined) },
    completeBackup: {
      every: 590,
      first: 40,
      act: async () => {
        latestBackup = (await send(createCompleteBackup.path, undefined)).filename ?? ''
      },
    },
    download: {
      every: 590,
      first: 50,
      act: () => get(downloadBackup.path.replace(':filename', latestBackup), { cookie }),
    },
  }
}

function newPhoto(number: number) {
  const noise = { type: 'gaussian', mean: 60 + (number % 120), sigma: 20 } as const
  return sharp({ create: { width: 1200, height: 800, channels: 3, background: '#808080', noise } })
    .jpeg()
    .toBuffer()
}
