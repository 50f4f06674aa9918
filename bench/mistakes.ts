import { copyFile, cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { scheduler } from 'node:timers/promises'
import { createProject } from '#contract/projects.admin.ts'
import { beginBuiltSite, runBuilt, startBuiltSite } from '#tests/built-site.ts'
import { aProject } from '#tests/factories.ts'
import { layOlderRelease, olderAccount } from '#tests/older-release.ts'
import { aPhoto } from '#tests/photos.ts'
import { startPostgres } from '#tests/postgres.ts'
import { type Content, contentAt } from '#tests/process/content.ts'
import { faultsInRefusal, startAndLook } from '#tests/process/kill-starts.ts'
import { uploadPhoto } from '#tests/upload-photo.ts'
import { age, ageFiles, aSiteWithEverything, maker, photosOnDisk, settingsFor } from './damage.ts'

/** What people do without meaning harm. Afterwards every photo must be there. */
export async function benchMistakes(folder: string, kills: number, random: () => number) {
  return {
    backAndForward: await goBackAndForward(path.join(folder, 'back')),
    otherDatabase: await startOnAnotherDatabase(path.join(folder, 'other')),
    databaseRemoved: await removeDatabase(path.join(folder, 'removed')),
    backToOlderRelease: await goBackToOlderRelease(path.join(folder, 'older')),
    killedRestores: await killRestores(path.join(folder, 'killed'), kills, random),
  }
}

/** A site that has a photo and a project more than its database backup, stopped, all of it days old. */
async function aSiteThatWentOn(dataDir: string) {
  const { site, cookie, send } = await aSiteWithEverything(dataDir)
  const imageUrl = await uploadPhoto(site.url, cookie, await aPhoto({ width: 700, height: 500, colour: '#101010' }))
  await send(createProject.path, aProject({ title: 'After the backup', imageUrl }))
  const content = await contentAt(site.url, maker)
  await site.stop()
  await age(dataDir)
  return { content, photos: await photosOnDisk(dataDir) }
}

async function look(dataDir: string, settings: Record<string, string> = {}) {
  const site = await startBuiltSite({ ...settingsFor(dataDir), ...settings })
  const content = await contentAt(site.url, maker)
  await site.stop()
  return content
}

async function report(dataDir: string, before: { content: Content; photos: string[] }, after: Content) {
  const onDisk = await photosOnDisk(dataDir)
  return {
    photos: before.photos.length,
    goneFromDisk: before.photos.filter((hash) => !onDisk.includes(hash)).length,
    shownAgain: JSON.stringify(after) === JSON.stringify(before.content),
  }
}

/** By the steps of docs/deploy.md, with a start a few days later in between. */
async function goBackAndForward(dataDir: string) {
  const before = await aSiteThatWentOn(dataDir)
  const backups = path.join(dataDir, 'files/backups')
  const backup = (await readdir(backups)).find((name) => name.startsWith('database_backup')) ?? ''
  const aside = path.join(dataDir, 'set-aside')
  await moveDatabase(dataDir, aside)
  await copyFile(path.join(backups, backup), path.join(dataDir, 'vitrina.sqlite'))
  await age(dataDir)
  const between = await look(dataDir)
  await ageFiles(dataDir)
  await look(dataDir)
  await moveDatabase(dataDir, path.join(dataDir, 'went-back'))
  await moveDatabase(aside, dataDir)
  const after = await look(dataDir)
  return { projectsInBetween: between.projects.length, ...(await report(dataDir, before, after)) }
}

async function moveDatabase(from: string, to: string) {
  await mkdir(to, { recursive: true })
  for (const name of (await readdir(from)).filter((each) => each.startsWith('vitrina.sqlite')))
    await rename(path.join(from, name), path.join(to, name))
}

async function refusalOf(settings: Record<string, string>) {
  const { child, ended, address } = beginBuiltSite(settings)
  const url = await address
  if (url) child.kill('SIGTERM')
  const { code, stderr } = await ended
  return { faults: url ? ['it started'] : faultsInRefusal(code, stderr), stderr }
}

async function startOnAnotherDatabase(dataDir: string) {
  const cluster = await startPostgres()
  try {
    const before = await aSiteThatWentOn(dataDir)
    const settings = { ...settingsFor(dataDir), DATABASE_URL: cluster.urlOf('postgres') }
    const { faults, stderr } = await refusalOf(settings)
    return {
      faults,
      sentence: stderr.split('\n')[0]?.replaceAll(dataDir, 'DATA_DIR'),
      ...(await report(dataDir, before, await look(dataDir))),
    }
  } finally {
    await cluster.stop()
  }
}

/** And then back by the command that the refusal prints. */
async function removeDatabase(dataDir: string) {
  const before = await aSiteThatWentOn(dataDir)
  await moveDatabase(dataDir, path.join(dataDir, '..', 'lost'))
  const { faults, stderr } = await refusalOf(settingsFor(dataDir))
  const [command = ''] = /npm run restore -- (--new-database )?\S+/.exec(stderr) ?? []
  const { code } = await runBuilt('backup', settingsFor(dataDir), ['restore', ...command.split(' ').slice(4)]).ended
  const after = await look(dataDir)
  return { faults, restored: code === 0, projectsAfter: after.projects.length, ...(await report(dataDir, before, after)) }
}

/** To the copy that was kept before an update, with the release of after it. */
async function goBackToOlderRelease(dataDir: string) {
  await layOlderRelease(dataDir)
  const settings = { DATA_DIR: dataDir }
  const site = await startBuiltSite(settings)
  const before = await contentAt(site.url, olderAccount)
  await site.stop()
  const [copy = ''] = await readdir(path.join(dataDir, 'before-update'))
  const { code } = await runBuilt('backup', settings, ['restore', path.join(dataDir, 'before-update', copy)]).ended
  const { outcome, faults } = await startAndLook(settings, async (url) => {
    const after = await contentAt(url, olderAccount)
    return JSON.stringify(after) === JSON.stringify(before) ? [] : ['it is not as it was']
  })
  return { restored: code === 0, outcome, faults }
}

/** The commands a refused start prints, killed: the site is whole afterwards, or still refuses, and is never an empty one. */
async function killRestores(folder: string, kills: number, random: () => number) {
  const source = path.join(folder, 'source')
  const { site, content } = await aSiteWithEverything(source)
  await site.stop()
  await moveDatabase(source, path.join(folder, 'lost'))
  const { stderr } = await refusalOf(settingsFor(source))
  const commands = [...stderr.matchAll(/npm run restore -- (.+)$/gm)].map(([, args = '']) => args.split(' '))
  const result: Record<string, Record<string, number>> = {}
  for (const args of commands) {
    const counts = { whole: 0, refused: 0, bad: 0 }
    let duration: number | undefined
    for (let round = 0; round <= kills; round += 1) {
      const dataDir = path.join(folder, 'data')
      await cp(source, dataDir, { recursive: true })
      const began = performance.now()
      const { child, ended } = runBuilt('backup', settingsFor(dataDir), ['restore', ...args])
      if (duration !== undefined) {
        await scheduler.wait(duration * random())
        child.kill('SIGKILL')
      }
      await ended
      duration ??= performance.now() - began
      const { outcome } = await startAndLook(settingsFor(dataDir), async (url) => {
        const { projects, messages } = await contentAt(url, maker)
        return projects.length === content.projects.length && messages.length === content.messages.length ? [] : ['it is empty']
      })
      counts[outcome] += 1
      await rm(dataDir, { recursive: true, force: true })
    }
    result[args.length > 1 ? 'ofCompleteBackup' : 'ofDatabaseBackup'] = counts
  }
  return result
}
