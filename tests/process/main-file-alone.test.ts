import { copyFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { sendContact } from '#contract/contacts.ts'
import { createProject } from '#contract/projects.admin.ts'
import type { BuiltSite } from '../built-site.ts'
import { post, signInAt } from '../calls.ts'
import { anInquiry, aProject } from '../factories.ts'
import { olderRecordsIn } from '../older-release.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { contentAt } from './content.ts'
import { ownerAccount, startSite } from './site.ts'

async function write(site: BuiltSite) {
  const cookie = await signInAt(site.url, ownerAccount)
  for (let number = 0; number < 20; number += 1) {
    await post(site.url, createProject.path, aProject({ title: `Model ${number}` }), { cookie })
    await post(site.url, sendContact.path, anInquiry({ name: `Visitor ${number}` }))
  }
  return contentAt(site.url, ownerAccount)
}

/** A copy of the main file alone, without -wal and -shm. */
async function copyAlone(dataDir: string) {
  const copy = path.join(await temporaryFolder(), 'vitrina.sqlite')
  await copyFile(path.join(dataDir, 'vitrina.sqlite'), copy)
  return copy
}

describe('the file vitrina.sqlite alone', () => {
  test('holds everything after a stop', async () => {
    const dataDir = await temporaryFolder()
    const site = await startSite({ DATA_DIR: dataDir, RATE_LIMITS: 'off' })
    const { projects, messages } = await write(site)
    expect(await site.stop()).toMatchObject({ code: 0 })
    const records = olderRecordsIn(await copyAlone(dataDir))
    expect(records.projects).toHaveLength(20)
    expect(records.projects?.map(({ id }) => id)).toEqual(projects.map(({ id }) => id).toSorted())
    expect(records.contact_messages?.map(({ name }) => name).toSorted()).toEqual(messages.map(({ name }) => name).toSorted())
  })

  test('starts as a site of its own with the same content', async () => {
    const dataDir = await temporaryFolder()
    const site = await startSite({ DATA_DIR: dataDir, RATE_LIMITS: 'off' })
    const content = await write(site)
    await site.stop()
    const copy = await copyAlone(dataDir)
    const other = await startSite({ DATA_DIR: path.dirname(copy) })
    expect(await contentAt(other.url, ownerAccount)).toEqual(content)
  })

  test.each(['-wal', '-shm'])('costs nothing to lose its %s after a kill', async (ending) => {
    const dataDir = await temporaryFolder()
    const settings = { DATA_DIR: dataDir, RATE_LIMITS: 'off' }
    const site = await startSite(settings)
    const content = await write(site)
    await site.kill()
    await rm(path.join(dataDir, `vitrina.sqlite${ending}`))
    const again = await startSite(settings)
    expect(await contentAt(again.url, ownerAccount)).toEqual(content)
  })
})
