import { setTimeout as pause } from 'node:timers/promises'
import { createCompleteBackup, downloadBackup, exportData } from '#contract/backups.ts'
import { sendContact } from '#contract/contacts.ts'
import { variantAddress } from '#contract/first-visit.ts'
import { homePage } from '#contract/pages.ts'
import { createProject, deleteProject, updateProject } from '#contract/projects.admin.ts'
import { listProjects, type Project } from '#contract/projects.ts'
import { demoAdmin } from '#demo/admin.ts'
import { signInAt } from '#tests/calls.ts'
import { aContact, aProject } from '#tests/factories.ts'
import { aGrainyPhoto } from '#tests/photos.ts'
import { uploadPhoto } from '#tests/upload-photo.ts'
import { allVariantsMade, call, median, residentMegabytes, rounded, withSite } from './site.ts'

const minutes = Number(process.env.SOAK_MINUTES ?? 60)
const rest = Math.min(2, minutes) * 60_000

/** What a site holds in memory while it is used in every way at once, modestly, for an hour. */
export function benchSoak() {
  return withSite(async ({ url, pid, output }) => {
    const uses = Object.entries(usesOf(url, await allVariantsMade(url), await signInAt(url, demoAdmin)))
    await pause(rest)
    const idle = residentMegabytes(pid)
    const samples: number[] = []
    const done: Record<string, number> = {}
    const failures: string[] = []
    const began = performance.now()
    for (let second = 0; second < minutes * 60; second += 1) {
      if (second % 10 === 0) samples.push(residentMegabytes(pid))
      for (const [name, [every, first, act]] of uses) {
        if (second % every !== first) continue
        done[name] = (done[name] ?? 0) + 1
        await act(second).catch((error: unknown) => failures.push(`${name} after ${second} s: ${String(error)}`))
      }
      await pause(Math.max(0, began + (second + 1) * 1000 - performance.now()))
    }
    await pause(rest)
    const stretches = Array.from({ length: Math.ceil(minutes / 10) }, (_, index) => samples.slice(index * 60, (index + 1) * 60))
    return {
      minutes,
      done,
      failures: { count: failures.length, first: failures.slice(0, 5) },
      loggedErrors: output.stdout.split('\n').filter((line) => /"level":"?(50|60|error|fatal)/.test(line)).length,
      megabytes: {
        atRest: { before: rounded(idle, 1), after: rounded(residentMegabytes(pid), 1) },
        mediansOfTenMinutes: stretches.map((stretch) => rounded(median(stretch), 1)),
        most: rounded(Math.max(...samples), 1),
      },
    }
  })
}

/** The seconds between two of a kind, and until the first. */
type Use = [every: number, first: number, act: (second: number) => Promise<unknown>]

function usesOf(url: string, projects: readonly Project[], firstCookie: string): Record<string, Use> {
  let cookie = firstCookie
  let backup = ''
  const one = (second: number) => projects[second % projects.length] as Project
  const get = async (address: string) => {
    const response = await fetch(new URL(address, url))
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${address} answered ${response.status}`)
  }
  const addAndRemove = async (second: number, imageUrl: string) => {
    const project = aProject({ title: `Model of second ${second}`, imageUrl })
    const { id } = JSON.parse(await call(url, createProject, { cookie, body: JSON.stringify(project) }))
    await call(url, updateProject, { cookie, params: id, body: JSON.stringify({ description: `Changed in ${second}.` }) })
    await get(imageUrl)
    await call(url, deleteProject, { cookie, params: id })
  }
  const signInAgain = async () => {
    cookie = await signInAt(url, demoAdmin)
  }
  const backUp = async () => {
    backup = JSON.parse(await call(url, createCompleteBackup, { cookie })).filename
  }
  const upload = async (second: number) =>
    addAndRemove(second, await uploadPhoto(url, cookie, await aGrainyPhoto({ width: 1200, height: 800 })))
  const message = (second: number) => JSON.stringify(aContact({ message: `Sent in second ${second}.` }))
  return {
    page: [1, 0, () => get(homePage.path)],
    pageInSpanish: [2, 0, () => get('/?lang=es')],
    project: [2, 0, (second) => get(`/?project=${one(second).id}`)],
    list: [3, 0, () => get(listProjects.path)],
    variant: [1, 0, (second) => get(variantAddress(one(second).imageUrl, 960, 'avif'))],
    photo: [5, 0, (second) => get(one(second).imageUrl)],
    message: [5, 0, (second) => call(url, sendContact, { body: message(second) })],
    signIn: [60, 59, signInAgain],
    projectMadeAndDeleted: [15, 0, (second) => addAndRemove(second, one(second).imageUrl)],
    upload: [150, 20, upload],
    export: [290, 30, () => call(url, exportData, { cookie })],
    completeBackup: [590, 40, backUp],
    download: [590, 50, () => call(url, downloadBackup, { cookie, params: backup })],
  }
}
