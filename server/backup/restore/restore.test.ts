import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createCompleteBackup, downloadBackup, exportData, importData, restoreComplete } from '#contract/backups.ts'
import { deleteProject, updateProject } from '#contract/projects.admin.ts'
import { applyMerge, previewMerge, putReportAway, type RestoredReport, undoMerge } from '#contract/restores.ts'
import type { Dialect } from '#server/database/dialect.ts'
import type { Db } from '#server/database/tables.ts'
import { contactPhotoName } from '#server/features/contacts/photos.queries.ts'
import { imageName } from '#server/features/images/image.rules.ts'
import { insertAddresses } from '#server/features/projects/project-addresses.ts'
import { anExport, aReply, everythingIn, fill, formWith, storeContact } from '#tests/backups.ts'
import { aContact, aProject, aStoredProject, removeProject, storeProject, storeVersion } from '#tests/factories.ts'
import { openTestApp, sites } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'
import type { StorageKind } from '#tests/test-storage.ts'
import { readRecord } from '../archive/export.rules.ts'
import type { IncomingBackup } from '../archive/read-backup.ts'
import { readBackupState } from '../backup-state.ts'
import { noProgress } from '../job.ts'
import { mergeBackup } from './restore.ts'

const later = '2026-04-09T00:00:00.000Z'

async function openSite(dialect: Dialect = 'sqlite', storage: StorageKind = 'folder') {
  const site = await openTestApp(dialect, { storage })
  const as = { as: await site.signedIn() }
  /** Without what tells one export from the next. */
  const exported = async () => {
    const { createdAt: _createdAt, sha256: _sha256, ...content } = (await site.ask(exportData, as)).data
    return content
  }
  const complete = async () => (await site.ask(createCompleteBackup, as)).filename
  const preview = (filename: string, mode = 'restore') =>
    site.ask(previewMerge, { body: { source: { filename }, mode }, ...as })
  const apply = (filename: string, { mode = 'restore', without = [] as number[] } = {}) =>
    site.ask(applyMerge, { body: { source: { filename }, mode, without }, ...as })
  const undo = (id: string) => site.ask(undoMerge, { params: { id }, ...as })
  const tryUndo = async (id: string) => {
    const answer = await site.call(undoMerge, { params: { id }, ...as })
    return [answer.statusCode, answer.json().code]
  }
  const putExport = async (content: object) => {
    const name = 'export_2026-05-01T12-00-00Z-aaaa.json'
    await site.storage.put(`backups/${name}`, Buffer.from(JSON.stringify(content)))
    return name
  }
  const lastMerge = async () => (await readBackupState(site.db)).lastMerge
  const change = async (id: string, body: object) => site.ask(updateProject, { params: { id }, body, ...as })
  return { ...site, as, exported, complete, preview, apply, undo, tryUndo, putExport, lastMerge, change }
}
type Site = Awaited<ReturnType<typeof openSite>>

type Filled = Awaited<ReturnType<typeof fill>>
type Project = Filled['projects'][number]
type Message = Filled['messages'][number]

/** A backup, and then everything that can be other than in it. */
async function changedSinceBackup(site: Site) {
  const { projects, messages, photos } = await fill(site)
  const [whole, second, third] = projects as [Project, Project, Project]
  const [ada, grace] = messages as [Message, Message]
  const filename = await site.complete()
  const renamed = aProject({ title: 'Renamed since', photos: [], featured: false, beforeImageUrl: null })
  await site.change(whole.id, { ...renamed, translations: { es: { techniques: null } } })
  // As no form stores it, and an older release may have.
  await site.db.updateTable('projects').set({ scale: ' 1:48 ' }).where('id', '=', whole.id).execute()
  await site.ask(deleteProject, { params: { id: second.id }, ...site.as })
  await removeProject(site.db, third.id)
  await storeProject(site.db, aStoredProject({ title: 'Made since' }))
  await site.db
    .updateTable('contactMessages')
    .set({ state: 'spam', note: null, spamReason: 'marked', changedAt: '2026-04-01T00:00:00.000Z' })
    .where('id', '=', ada.id)
    .execute()
  await site.db.deleteFrom('contactReplies').execute()
  await site.db
    .insertInto('contactReplies')
    .values({ ...aReply({ sentAt: null }), contactId: ada.id })
    .execute()
  const [, sent = ''] = ada.photos
  await site.db.deleteFrom('contactPhotos').where('hash', '=', sent).execute()
  await site.db.deleteFrom('contactMessages').where('id', '=', grace.id).execute()
  await storeVersion(site.db, { 'maker.brand': 'Changed since', 'maker.city': 'Xalapa' })
  const gone = photos[2]?.hash ?? ''
  await site.storage.remove(imageName(gone))
  await site.db.deleteFrom('images').where('hash', '=', gone).execute()
  return { filename, whole, second, third, ada, grace, photos }
}

test.each(sites)(
  'looking writes nothing and tells what happens then; undoing brings back the very same: %s, %s',
  async (...on) => {
    const site = await openSite(...on)
    const { filename, whole, second, third, photos } = await changedSinceBackup(site)
    const before = await site.exported()
    const everything = await everythingIn(site)
    const preview = await site.preview(filename)
    expect(await everythingIn(site)).toEqual(everything)
    expect(preview).toMatchObject({
      mode: 'restore',
      createdAt: site.clock.now().toISOString(),
      ...{ projects: { added: 1, changed: 2, alreadyThere: 0 }, contacts: { added: 1, changed: 1, alreadyThere: 0 } },
      ...{ images: { added: 1, alreadyThere: 2 }, inquiryPhotos: { added: 1, alreadyThere: 1 }, missingImages: 0 },
    })
    const cover = photos[0]?.hash
    const byTitle = new Map(preview.changes.map((change) => [change.title, change]))
    expect(byTitle.get(whole.title)).toMatchObject({ change: 'changed', currentTitle: 'Renamed since' })
    // Photos of this site by their hashes, and nothing that a person does not see, as its addresses.
    expect(byTitle.get(whole.title)?.differences).toEqual([
      { field: 'title', current: 'Renamed since', incoming: whole.title },
      { field: 'imageUrl', current: 'https://example.com/tug.jpg', incoming: cover },
      { field: 'scale', current: ' 1:48 ', incoming: '1:50' },
      { field: 'beforeImageUrl', current: null, incoming: photos[1]?.hash },
      { field: 'featured', current: false, incoming: true },
      { field: 'photos', current: [], incoming: ['https://example.com/stern.jpg', 'https://example.com/bow.jpg'] },
      { field: 'captions', current: [], incoming: ['The stern', ''] },
      { field: 'translations.es.techniques', current: null, incoming: 'Forrado, soldadura' },
      { field: 'translations.es.captions', current: [], incoming: ['La popa', ''] },
    ])
    expect(byTitle.get(second.title)).toMatchObject({ change: 'out_of_trash', differences: [] })
    expect(byTitle.get(third.title)).toMatchObject({ change: 'added', currentTitle: null, differences: [] })
    expect(preview.changes.length).toBe(3)
    expect(preview.site).toEqual(
      expect.arrayContaining([
        { field: 'maker.brand', current: 'Changed since', incoming: 'Ñandú & <b>Söhne</b> 🚢' },
        { field: 'maker.city', current: 'Xalapa', incoming: null },
        { field: 'photos.hero.point', current: null, incoming: '50 30' },
      ]),
    )

    const report = await site.apply(filename)
    expect(report).toMatchObject({
      ...{ mode: 'restore', filename },
      message: 'Complete backup restored: 3 projects, 2 contacts, 1 images found',
      added: { projects: 1, contacts: 1, images: 1, inquiryPhotos: 1 },
      broughtBack: { projects: 2, contacts: 1 },
      alreadyThere: { projects: 0, contacts: 0, images: 2, inquiryPhotos: 1 },
      ...{ missingImages: 0, undone: null, canUndo: true },
    })
    expect(report.site.added + report.site.broughtBack).toBe(preview.site.length)
    expect(await site.lastMerge()).toMatchObject({ id: report.id, siteVersions: { before: 2, after: 3 } })
    expect(await site.preview(filename)).toMatchObject({
      ...{ projects: { added: 0, changed: 0, alreadyThere: 3 }, contacts: { added: 0, changed: 0, alreadyThere: 2 } },
      ...{ changes: [], site: [] },
    })

    const undone = await site.undo(report.id)
    expect(undone).toMatchObject({
      id: report.id,
      canUndo: false,
      undone: { broughtBack: { projects: 2, contacts: 1 }, takenOut: { projects: 1, contacts: 1 }, site: true, left: 0 },
    })
    const { projects } = await site.exported()
    expect(projects.find(({ id }) => id === third.id)?.deletedAt).toBe(site.clock.now().toISOString())
    await removeProject(site.db, third.id)
    expect(await site.exported()).toEqual(before)
    expect(await site.db.selectFrom('mergedRecords').selectAll().execute()).toEqual([])
  },
)

test.each(databases)('what was changed since is left as it is, on %s', async (dialect) => {
  const site = await openSite(dialect)
  const { filename, whole, second, third, ada, grace } = await changedSinceBackup(site)
  const { id } = await site.apply(filename)
  await site.change(whole.id, aProject({ title: 'Once more' }))
  await site.change(third.id, aProject({ title: 'Brought and changed' }))
  await site.db
    .insertInto('contactReplies')
    .values({ ...aReply(), contactId: grace.id })
    .execute()
  await site.db.updateTable('contactMessages').set({ state: 'closed', changedAt: later }).where('id', '=', ada.id).execute()
  await storeVersion(site.db, { 'maker.brand': 'Newest' })
  const before = await site.exported()
  expect((await site.undo(id)).undone).toMatchObject({
    ...{ broughtBack: { projects: 1, contacts: 0 }, takenOut: { projects: 0, contacts: 0 }, site: false, left: 5 },
  })
  const after = await site.exported()
  const deletedAt = after.projects.find(({ id }) => id === second.id)?.deletedAt
  expect(deletedAt).not.toBeNull()
  const projects = before.projects.map((each) => (each.id === second.id ? { ...each, deletedAt } : each))
  expect(after).toEqual({ ...before, projects })
})

test('of two who undo at once one does, and what is undone or another merge cannot be undone', async () => {
  const site = await openSite()
  const { filename } = await changedSinceBackup(site)
  const { id } = await site.apply(filename)
  const answers = await Promise.all([1, 2].map(() => site.tryUndo(id)))
  expect(answers.map(([status]) => status).toSorted()).toEqual([200, 409])
  expect(await site.tryUndo(id)).toEqual([409, 'undo_impossible'])
  expect(await site.tryUndo(randomUUID())).toEqual([404, 'merge_not_found'])

  await site.ask(putReportAway, { params: { id }, ...site.as })
  expect(await site.lastMerge()).toBeNull()
  expect((await site.call(putReportAway, { params: { id }, ...site.as })).json()).toMatchObject({ code: 'merge_not_found' })
})

test('projects that are left out stay as they are, and the same content does not come a second time', async () => {
  const site = await openSite()
  const { filename, whole, third } = await changedSinceBackup(site)
  const before = await site.exported()
  const { changes } = await site.preview(filename)
  const without = changes.filter(({ title }) => title === whole.title || title === third.title).map(({ number }) => number)
  expect(await site.apply(filename, { without })).toMatchObject({
    ...{ added: { projects: 0 }, broughtBack: { projects: 1 }, alreadyThere: { projects: 0 } },
  })
  const after = await site.exported()
  const find = (content: typeof before, id?: string) => content.projects.find((each) => each.id === id)
  expect(find(after, whole.id)).toEqual(find(before, whole.id))
  expect(find(after, third.id)).toBeUndefined()

  const twice = anExport({
    projects: [aProject({ title: 'Twice' }), aProject({ title: 'Twice' }), aProject({ title: 'Other' })],
  })
  // Written by another program.
  const name = await site.putExport({ ...twice, createdAt: '17/11/2026' })
  expect(await site.preview(name, 'import')).toMatchObject({
    createdAt: null,
    projects: { added: 2, changed: 0, alreadyThere: 1 },
    changes: [{ number: 0 }, { number: 2 }],
  })
  expect(await site.apply(name, { mode: 'import', without: [0] })).toMatchObject({
    message: 'Import completed: 1 projects, 0 contacts',
    added: { projects: 1 },
  })
})

test('an import is looked at by its own rules, and can be undone as it was before: so can SPEC’s two calls', async () => {
  const site = await openSite()
  const { filename, second } = await changedSinceBackup(site)
  const archive = (await site.call(downloadBackup, { params: { filename }, ...site.as })).rawPayload
  const before = await site.exported()
  expect(await site.preview(filename, 'import')).toMatchObject({
    projects: { added: 1, changed: 1, alreadyThere: 1 },
    contacts: { added: 1, changed: 0, alreadyThere: 1 },
    changes: expect.arrayContaining([expect.objectContaining({ change: 'out_of_trash', title: second.title })]),
  })
  const undoLast = async () => {
    await site.undo((await site.lastMerge())?.id ?? '')
    await site.db
      .deleteFrom('projects')
      .where('deletedAt', '=', site.clock.now().toISOString())
      .where('id', '!=', second.id)
      .execute()
    expect(await site.exported()).toEqual(before)
  }
  await site.ask(restoreComplete, { ...formWith(archive), ...site.as })
  expect(await site.exported()).not.toEqual(before)
  await undoLast()
  const body = {
    projects: [{ ...aProject({ title: 'Imported' }), id: second.id, deletedAt: null }, aProject({ title: 'New' })],
    contacts: [aContact()],
    site: { fields: { 'en.hero.title': 'Imported' }, publishedAt: later },
  }
  expect(await site.ask(importData, { body, ...site.as })).toMatchObject({ imported: { projects: 2, contacts: 1 } })
  expect(await site.lastMerge()).toMatchObject({ mode: 'import', filename: 'export.json' })
  await undoLast()
})

test('texts of a site that had none are taken away again, and an address that came goes', async () => {
  const site = await openSite()
  const project = aStoredProject({ title: 'Alone' })
  await storeProject(site.db, project)
  const before = await site.exported()
  expect(before.site).toBeNull()
  const name = await site.putExport({
    projects: [{ ...before.projects[0], scale: '1:9', addresses: ['alone', 'as-it-was-called'] }],
    site: { fields: { 'maker.brand': 'Brought' }, publishedAt: later },
  })
  const { id } = await site.apply(name)
  expect((await site.exported()).projects[0]?.addresses).toEqual(['alone', 'as-it-was-called'])
  await site.undo(id)
  expect(await site.exported()).toEqual(before)
  // One that another project has stays with that.
  const other = aStoredProject({ title: 'Other' })
  await storeProject(site.db, other)
  await insertAddresses(site.db, [{ slug: 'as-it-was-called', projectId: other.id }])
  await site.apply(name)
  expect((await site.exported()).projects.map(({ addresses }) => addresses)).toContainEqual(['alone'])
})

test.each(databases)(
  'messages by the hundred come and go again, and one that was answered meanwhile stays: %s',
  async (dialect) => {
    const site = await openSite(dialect)
    const contacts = Array.from({ length: 250 }, (_, number) => ({ ...aContact({ name: `Ana ${number}` }), id: randomUUID() }))
    const { id, message } = await site.apply(await site.putExport({ contacts }))
    expect(message).toBe('Import completed: 0 projects, 250 contacts')
    const [first] = contacts
    await site.db
      .insertInto('contactReplies')
      .values({ ...aReply(), contactId: first?.id ?? '' })
      .execute()
    expect((await site.undo(id)).undone).toMatchObject({ takenOut: { contacts: 249 }, left: 1 })
    expect((await site.exported()).contacts.map(({ name }) => name)).toEqual(['Ana 0'])
  },
)

test.each(databases)(
  'a merge that changes nothing, or fails in the middle, leaves the one before to be undone: %s',
  async (dialect) => {
    const site = await openSite(dialect)
    const { filename } = await changedSinceBackup(site)
    const { id } = await site.apply(filename)
    const before = await everythingIn(site)
    const again = await site.apply(filename)
    expect(again).toMatchObject({ imported: { projects: 0, contacts: 0 }, canUndo: false })
    expect(await site.tryUndo(again.id)).toEqual([404, 'merge_not_found'])

    const incoming: IncomingBackup = {
      ...({} as IncomingBackup),
      counts: { projects: 2, contacts: 0 },
      withoutIds: new Set(),
      photos: [],
      async *records() {
        yield [readRecord('projects', 0, { ...aProject({ title: 'Half' }), id: randomUUID() })]
        throw new Error('The share is gone.')
      },
    }
    const merging = mergeBackup(incoming, { mode: 'restore', filename: 'half.json' }, site, noProgress)
    await expect(merging).rejects.toThrow('The share is gone.')
    expect(await everythingIn(site)).toEqual(before)
    expect((await site.lastMerge())?.id).toBe(id)
    expect((await site.undo(id)).undone).toMatchObject({ broughtBack: { projects: 2 }, left: 0 })

    const idle = await site.apply(await site.putExport({ projects: [] }))
    expect(await site.lastMerge()).toMatchObject({ id: idle.id })
    expect(await site.tryUndo(idle.id)).toEqual([409, 'undo_impossible'])
  },
)

test('a photo whose stored bytes are damaged comes again, though its size is the same', async () => {
  const site = await openSite()
  const { photos, messages } = await fill(site)
  const filename = await site.complete()
  const before = await everythingIn(site)
  for (const name of [imageName(photos[1]?.hash ?? ''), contactPhotoName(messages[0]?.photos[0] ?? '')]) {
    const rotten = (await site.storage.read(name)) ?? Buffer.alloc(0)
    rotten[rotten.length >> 1] = (rotten[rotten.length >> 1] ?? 0) ^ 1
    await site.storage.put(name, rotten)
  }
  const [added, alreadyThere] = [
    { images: 1, inquiryPhotos: 1 },
    { images: 2, inquiryPhotos: 1 },
  ]
  expect(await site.apply(filename)).toMatchObject({ added, alreadyThere, canUndo: false })
  expect(await everythingIn(site)).toEqual(before)
})

// SQLite has one writer at a time.
test('on PostgreSQL, what is saved at the very moment of a restore can be brought back, and is left by an undo', async () => {
  const site = await openSite('postgres')
  const project = aStoredProject({ title: 'As in the file' })
  await storeProject(site.db, project)
  const { id: contactId } = await storeContact(site, { note: 'As in the file', changedAt: later })
  const name = await site.putExport(await site.exported())
  const save = async (db: Db, text: string) => {
    await db.updateTable('projects').set({ title: text }).where('id', '=', project.id).execute()
    await db.updateTable('contactMessages').set({ note: text, changedAt: null }).where('id', '=', contactId).execute()
  }
  const saved = async () => {
    const { projects, contacts } = await site.exported()
    return [projects[0]?.title, contacts[0]?.note]
  }
  /** Begins it while the save is not committed yet, and commits once it waits for that. */
  const whileSaving = (text: string, begin: () => Promise<RestoredReport>) =>
    site.db.transaction().execute(async (tx) => {
      await save(tx, text)
      const begun = begin()
      const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      const isWaiting = async () => (await waiting.execute(site.db)).rows.length > 0
      await expect.poll(isWaiting, { interval: 20 }).toBe(true)
      return { begun }
    })
  const restoring = await whileSaving('Saved meanwhile', () => site.apply(name))
  const { id } = await restoring.begun
  expect(await saved()).toEqual(['As in the file', 'As in the file'])
  const undoing = await whileSaving('Saved later', () => site.undo(id))
  expect((await undoing.begun).undone).toMatchObject({ left: 2 })
  expect(await saved()).toEqual(['Saved later', 'Saved later'])

  const again = await site.apply(name)
  await site.undo(again.id)
  expect(await saved()).toEqual(['Saved later', 'Saved later'])
})
