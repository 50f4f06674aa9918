import { copyFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { sendContact } from '#contract/contacts.ts'
import { createProject } from '#contract/projects.admin.ts'
import type { BuiltSite } from '../built-site.ts'
import { post, signInAt } from '../calls.ts'
import { aContact, aProject } from '../factories.ts'
import { olderRecordsIn } from '../older-release.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { contentAt } from './content.ts'
import { ownerAccount, startSite } from './site.ts'

/** Adds projects and messages to a site, and answers all it shows then. */
async function write(site: BuiltSite, count: number) {
  const cookie = await signInAt(site.url, ownerAccount)
  for (let number = 0; number < count; number += 1) {
    await post(site.url, createProject.path, aProject({ title: `Model ${number}` }), { cookie })
    await post(site.url, sendContact.path, aContact({ name: `Visitor ${number}` }))
  }
  return contentAt(site.url, ownerAccount)
}

test('the file vitrina.sqlite alone holds everything after a stop, starts as a site of its own, and costs nothing to lose its -wal or -shm after a kill', async () => {
  const first = { DATA_DIR: await temporaryFolder(), RATE_LIMITS: 'off' }
  const site = await startSite(first)
  const content = await write(site, 5)
  expect(content.projects).toHaveLength(5)
  expect(await site.stop()).toMatchObject({ code: 0 })

  const settings = { ...first, DATA_DIR: await temporaryFolder() }
  const file = path.join(settings.DATA_DIR, 'vitrina.sqlite')
  await copyFile(path.join(first.DATA_DIR, 'vitrina.sqlite'), file)
  const records = olderRecordsIn(file)
  expect(records.projects?.map(({ id }) => id)).toEqual(content.projects.map(({ id }) => id).toSorted())
  expect(records.contact_messages?.map(({ name }) => name).toSorted()).toEqual(
    content.messages.map(({ name }) => name).toSorted(),
  )

  let last = await startSite(settings)
  expect(await contentAt(last.url, ownerAccount)).toEqual(content)
  for (const ending of ['-wal', '-shm']) {
    const written = await write(last, 2)
    await last.kill()
    await rm(`${file}${ending}`)
    last = await startSite(settings)
    expect(await contentAt(last.url, ownerAccount), ending).toEqual(written)
  }
})
