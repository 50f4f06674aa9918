import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { createCompleteBackup, downloadBackup, exportData, importData, restoreComplete } from '#contract/backups.ts'
import { storedAddress } from '#contract/images.ts'
import { deleteProject, updateProject } from '#contract/projects.admin.ts'
import { applyMerge, previewMerge, putReportAway, showFilePhoto, undoMerge } from '#contract/restores.ts'
import { imageName } from '#server/features/images/image.rules.ts'
import { insertAddresses } from '#server/features/projects/project-addresses.ts'
import { anExport, aReply, archiveEntries, aStoredPhoto, everythingIn, fill, formWith } from '#tests/backups.ts'
import { aContact, aProject, aStoredProject, removeProject, storeProject, storeVersion } from '#tests/factories.ts'
import { rawZip } from '#tests/raw-zip.ts'
import { openTestApp, sites } from '#tests/test-app.ts'
import { readBackupJobs } from '../backup-jobs.ts'

const later = '2026-04-09T00:00:00.000Z'

describe.each(sites)('looking at a restore, doing it and undoing it on %s and %s', (dialect, storage) => {
  async function openSite() {
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
    const lastMerge = async () => (await readBackupJobs(site.db)).lastMerge
    const change = async (id: string, body: object) => site.ask(updateProject, { params: { id }, body, ...as })
    const emptyTrash = () => site.db.deleteFrom('projects').where('deletedAt', 'is not', null).execute()
    return { ...site, as, exported, complete, preview, apply, undo, lastMerge, change, emptyTrash }
  }
  type Site = Awaited<ReturnType<typeof openSite>>

  /** A backup, and then everything that can be other than in it. */
  async function changedSinceBackup(site: Site) {
    const { projects, messages, photos } = await fill(site)
    const [whole, second, third] = projects
    const [ada, grace] = messages
    const filename = await site.complete()
    await site.change(whole?.id ?? '', { ...aProject({ title: 'Renamed since', photos: [] }) })
    // As no form stores it, and an older release may have.
    await site.db
      .updateTable('projects')
      .set({ scale: ' 1:48 ' })
      .where('id', '=', whole?.id ?? '')
      .execute()
    await site.ask(deleteProject, { params: { id: second?.id ?? '' }, ...site.as })
    await removeProject(site.db, third?.id ?? '')
    await storeProject(site.db, aStoredProject({ title: 'Made since' }))
    await site.db
      .updateTable('contactMessages')
      .set({ state: 'spam', note: null, spamReason: 'marked', changedAt: '2026-04-01T00:00:00.000Z' })
      .where('id', '=', ada?.id ?? '')
      .execute()
    await site.db.deleteFrom('contactReplies').execute()
    await site.db
      .insertInto('contactReplies')
      .values({ ...aReply({ sentAt: null }), contactId: ada?.id ?? '' })
      .execute()
    const [, sent] = ada?.photos ?? []
    await site.db
      .deleteFrom('contactPhotos')
      .where('hash', '=', sent ?? '')
      .execute()
    await site.db
      .deleteFrom('contactMessages')
      .where('id', '=', grace?.id ?? '')
      .execute()
    await storeVersion(site.db, { 'maker.brand': 'Changed since', 'maker.city': 'Xalapa' })
    const gone = photos[2]?.hash ?? ''
    await site.storage.remove(imageName(gone))
    await site.db.deleteFrom('images').where('hash', '=', gone).execute()
    return { filename, whole, second, third, ada, grace, photos }
  }

  test('looking writes nothing and tells what happens then; undoing brings back the very same export', async () => {
    const site = await openSite()
    const { filename, whole, second, third, photos } = await changedSinceBackup(site)
    const before = await site.exported()
    const everything = await everythingIn(site)
    const preview = await site.preview(filename)
    expect(await everythingIn(site)).toEqual(everything)
    expect(preview).toMatchObject({
      mode: 'restore',
      createdAt: site.clock.now().toISOString(),
      projects: { added: 1, changed: 2, alreadyThere: 0 },
      contacts: { added: 1, changed: 1, alreadyThere: 0 },
      images: { added: 1, alreadyThere: 2 },
      inquiryPhotos: { added: 1, alreadyThere: 1 },
      missingImages: 0,
    })
    const cover = { hash: photos[0]?.hash, isStored: true }
    const byTitle = new Map(preview.changes.map((change) => [change.title, change]))
    expect(byTitle.get(whole?.title ?? '')).toMatchObject({
      change: 'changed',
      currentTitle: 'Renamed since',
      currentPhoto: { hash: null, isStored: false },
      incomingPhoto: cover,
      differences: expect.arrayContaining([
        { field: 'title', current: 'Renamed since', incoming: whole?.title },
        { field: 'scale', current: ' 1:48 ', incoming: '1:50' },
        { field: 'imageUrl', current: 'https://example.com/tug.jpg', incoming: cover.hash },
        { field: 'captions', current: [], incoming: ['The stern', ''] },
      ]),
    })
    expect(byTitle.get(second?.title ?? '')).toMatchObject({ change: 'out_of_trash', differences: [] })
    expect(byTitle.get(third?.title ?? '')).toMatchObject({ change: 'added', currentPhoto: null, differences: [] })
    expect(preview.changes.length).toBe(3)
    expect(preview.site).toEqual(
      expect.arrayContaining([
        { field: 'maker.brand', current: 'Changed since', incoming: 'Ñandú & <b>Söhne</b> 🚢' },
        { field: 'maker.city', current: 'Xalapa', incoming: null },
      ]),
    )

    const report = await site.apply(filename)
    expect(report).toMatchObject({
      mode: 'restore',
      filename,
      message: 'Complete backup restored: 3 projects, 2 contacts, 1 images found',
      added: { projects: 1, contacts: 1, images: 1, inquiryPhotos: 1 },
      broughtBack: { projects: 2, contacts: 1 },
      alreadyThere: { projects: 0, contacts: 0, images: 2, inquiryPhotos: 1 },
      missingImages: 0,
      restorePoint: expect.stringMatching(/_restore_point\.json$/),
      undone: null,
      canUndo: true,
    })
    expect(report.site.added + report.site.broughtBack).toBe(preview.site.length)
    expect(await site.lastMerge()).toMatchObject({ id: report.id, siteVersions: { before: 2, after: 3 } })
    expect(await site.preview(filename)).toMatchObject({
      projects: { added: 0, changed: 0, alreadyThere: 3 },
      contacts: { added: 0, changed: 0, alreadyThere: 2 },
      changes: [],
      site: [],
    })

    const undone = await site.undo(report.id)
    expect(undone).toMatchObject({
      id: report.id,
      canUndo: false,
      undone: {
        broughtBack: { projects: 2, contacts: 1 },
        takenOut: { projects: 1, contacts: 1 },
        site: true,
        left: 0,
      },
    })
    const after = await site.exported()
    expect(after.projects.find(({ id }) => id === third?.id)?.deletedAt).toBe(site.clock.now().toISOString())
    expect({ ...after, projects: after.projects.filter(({ id }) => id !== third?.id) }).toEqual({
      ...before,
      counts: after.counts,
    })
    await removeProject(site.db, third?.id ?? '')
    expect(await site.exported()).toEqual(before)
    expect(await site.db.selectFrom('mergedRecords').selectAll().execute()).toEqual([])
  })

  test('what somebody has changed since is left as it is', async () => {
    const site = await openSite()
    const { filename, whole, second, third, ada, grace } = await changedSinceBackup(site)
    const { id } = await site.apply(filename)
    await site.change(whole?.id ?? '', aProject({ title: 'Once more' }))
    await site.change(third?.id ?? '', aProject({ title: 'Brought and changed' }))
    await site.db
      .insertInto('contactReplies')
      .values({ ...aReply(), contactId: grace?.id ?? '' })
      .execute()
    await site.db
      .updateTable('contactMessages')
      .set({ state: 'closed', changedAt: later })
      .where('id', '=', ada?.id ?? '')
      .execute()
    await storeVersion(site.db, { 'maker.brand': 'Newest' })
    const before = await site.exported()
    expect((await site.undo(id)).undone).toMatchObject({
      broughtBack: { projects: 1, contacts: 0 },
      takenOut: { projects: 0, contacts: 0 },
      site: false,
      left: 5,
    })
    const after = await site.exported()
    const others = (content: typeof before) => ({
      ...content,
      projects: content.projects.filter((each) => each.id !== second?.id),
    })
    expect(others(after)).toEqual(others(before))
    expect(after.projects.find((each) => each.id === second?.id)?.deletedAt).not.toBeNull()
  })

  test('of two who undo at once one does, and what is undone or another merge cannot be undone', async () => {
    const site = await openSite()
    const { filename } = await changedSinceBackup(site)
    const before = await site.exported()
    const { id } = await site.apply(filename)
    // While somebody works at it, nobody takes it away.
    const away = await site.database.unlessBusy('backups', () => site.call(putReportAway, { params: { id }, ...site.as }))
    expect(away?.done.json().code).toBe('backup_in_progress')
    const answers = await Promise.all([1, 2].map(() => site.call(undoMerge, { params: { id }, ...site.as })))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    const again = await site.call(undoMerge, { params: { id }, ...site.as })
    expect([again.statusCode, again.json().code]).toEqual([409, 'undo_impossible'])
    const other = await site.call(undoMerge, { params: { id: randomUUID() }, ...site.as })
    expect([other.statusCode, other.json().code]).toEqual([404, 'merge_not_found'])
    const inTrash = (await site.exported()).projects.filter(({ deletedAt }) => deletedAt !== null).length
    expect(inTrash).toBe(before.projects.filter(({ deletedAt }) => deletedAt !== null).length + 1)

    await site.ask(putReportAway, { params: { id }, ...site.as })
    expect(await site.lastMerge()).toBeNull()
    expect((await site.call(putReportAway, { params: { id }, ...site.as })).json()).toMatchObject({ code: 'merge_not_found' })
  })

  test('without its restore point it cannot be undone, and nothing is changed', async () => {
    const site = await openSite()
    const { filename } = await changedSinceBackup(site)
    const { id, restorePoint } = await site.apply(filename)
    const name = `backups/${restorePoint}`
    const content = (await site.storage.read(name)) ?? Buffer.alloc(0)
    const before = await everythingIn(site)
    await site.storage.put(name, content.subarray(0, content.length - 3))
    const damaged = await site.call(undoMerge, { params: { id }, ...site.as })
    await site.storage.remove(name)
    const missing = await site.call(undoMerge, { params: { id }, ...site.as })
    for (const answer of [damaged, missing]) expect([answer.statusCode, answer.json().code]).toEqual([409, 'undo_impossible'])
    await site.storage.put(name, content)
    expect(await everythingIn(site)).toEqual(before)
    expect((await site.undo(id)).undone?.broughtBack.projects).toBe(2)
  })

  test('projects that are left out stay as they are, and the same content does not come a second time', async () => {
    const site = await openSite()
    const { filename, whole, third } = await changedSinceBackup(site)
    const before = await site.exported()
    const { changes } = await site.preview(filename)
    const without = changes.filter(({ title }) => title === whole?.title || title === third?.title).map(({ number }) => number)
    expect(await site.apply(filename, { without })).toMatchObject({
      added: { projects: 0 },
      broughtBack: { projects: 1 },
      alreadyThere: { projects: 0 },
    })
    const after = await site.exported()
    const find = (content: typeof before, id?: string) => content.projects.find((each) => each.id === id)
    expect(find(after, whole?.id)).toEqual(find(before, whole?.id))
    expect(find(after, third?.id)).toBeUndefined()

    const twice = anExport({
      projects: [aProject({ title: 'Twice' }), aProject({ title: 'Twice' }), aProject({ title: 'Other' })],
    })
    const name = 'export_2026-05-01T12-00-00Z-aaaa.json'
    // Written by another program.
    await site.storage.put(`backups/${name}`, Buffer.from(JSON.stringify({ ...twice, createdAt: '17/11/2026' })))
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
      changes: expect.arrayContaining([expect.objectContaining({ change: 'out_of_trash', title: second?.title })]),
    })
    const undoLast = async () => {
      await site.undo((await site.lastMerge())?.id ?? '')
      await site.db
        .deleteFrom('projects')
        .where('deletedAt', '=', site.clock.now().toISOString())
        .where('id', '!=', second?.id ?? '')
        .execute()
      expect(await site.exported()).toEqual(before)
    }
    await site.ask(restoreComplete, { ...formWith(archive), ...site.as })
    expect(await site.exported()).not.toEqual(before)
    await undoLast()
    const body = {
      projects: [{ ...aProject({ title: 'Imported' }), id: second?.id, deletedAt: null }, aProject({ title: 'New' })],
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
    const name = 'export_2026-05-01T12-00-00Z-aaaa.json'
    const file = {
      projects: [{ ...before.projects[0], addresses: ['alone', 'as-it-was-called'] }],
      site: { fields: { 'maker.brand': 'Brought' }, publishedAt: later },
    }
    await site.storage.put(`backups/${name}`, Buffer.from(JSON.stringify(file)))
    const { id } = await site.apply(name)
    expect((await site.exported()).projects[0]?.addresses).toEqual(['alone', 'as-it-was-called'])
    await site.undo(id)
    expect(await site.exported()).toEqual(before)
    // One that another project has stays with that.
    const other = aStoredProject({ title: 'Other' })
    await storeProject(site.db, other)
    await insertAddresses(site.db, [{ slug: 'as-it-was-called', projectId: other.id }])
    expect(await site.apply(name)).toMatchObject({ imported: { projects: 0 } })
  })

  test('a merge that changes nothing leaves the one before to be undone', async () => {
    const site = await openSite()
    const { filename } = await changedSinceBackup(site)
    const { id } = await site.apply(filename)
    expect(await site.apply(filename)).toMatchObject({
      imported: { projects: 0, contacts: 0 },
      restorePoint: null,
      canUndo: false,
    })
    expect((await site.lastMerge())?.id).toBe(id)
    expect((await site.undo(id)).undone?.left).toBe(0)
  })

  test('a photo of the file is shown small, and nothing but photos that are in it', async () => {
    const site = await openSite()
    const { filename, photos, ada } = await changedSinceBackup(site)
    const show = (query: Record<string, string>) => site.call(showFilePhoto, { query, ...site.as })
    const hash = photos[2]?.hash ?? ''
    const shown = await show({ filename, hash })
    expect([shown.statusCode, shown.headers['content-type'], shown.headers['cache-control']]).toEqual([
      200,
      'image/webp',
      'no-store',
    ])
    expect(await sharp(shown.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 64 })
    const refused = [
      { filename, hash: 'a'.repeat(64) },
      // One that a visitor sent.
      { filename, hash: ada?.photos[0] ?? '' },
      { filename: 'complete_backup_2026-05-01T12-00-00Z-zzzz.zip', hash },
      { upload: randomUUID(), hash },
      { hash },
    ]
    for (const query of refused) expect((await show(query)).statusCode).toBe(404)
  })

  test('photos that the bucket vouches for are not downloaded; those of a folder are read', async () => {
    const site = await openSite()
    const { photos, messages } = await fill(site)
    const filename = await site.complete()
    const fetched: string[] = []
    const { stream, read } = site.storage
    site.storage.stream = (name) => {
      fetched.push(name)
      return stream(name)
    }
    const stored = [
      ...photos.map(({ hash }) => `objects/${hash}`),
      ...(messages[0]?.photos ?? []).map((hash) => `inquiry-photos/${hash}`),
    ]
    const fetchedPhotos = () =>
      fetched
        .splice(0)
        .filter((name) => !name.startsWith('backups/'))
        .toSorted()
    await site.apply(filename)
    expect(fetchedPhotos()).toEqual(storage === 's3' ? [] : stored.toSorted())
    // Other bytes of the same size are noticed all the same, and only these are fetched.
    const { hash = '', content = Buffer.alloc(0) } = photos[1] ?? {}
    const rotten = Buffer.from(content)
    rotten[rotten.length >> 1] = (rotten[rotten.length >> 1] ?? 0) ^ 1
    await site.storage.put(imageName(hash), rotten)
    expect(await site.apply(filename)).toMatchObject({ added: { images: 1 }, alreadyThere: { images: 2 } })
    expect((await read(imageName(hash)))?.equals(content)).toBe(true)
    expect(fetchedPhotos()).toEqual(storage === 's3' ? [imageName(hash)] : stored.toSorted())
  })

  test('a damaged archive is refused, and nothing is changed', async () => {
    const site = await openSite()
    await fill(site)
    const { content } = await aStoredPhoto(7)
    const { hash } = await aStoredPhoto(8)
    const project = { ...aProject({ imageUrl: storedAddress(hash) }), id: randomUUID() }
    const archive = rawZip(archiveEntries({ projects: [project], images: [content] }))
    const name = 'complete_backup_2026-05-01T12-00-00Z-aaaa.zip'
    const place = archive.indexOf(content)
    archive[place + (content.length >> 1)] = (archive[place + (content.length >> 1)] ?? 0) ^ 1
    await site.storage.put(`backups/${name}`, archive)
    const before = await everythingIn(site)
    // Photos are only read by the restore itself.
    expect(await site.preview(name)).toMatchObject({ projects: { added: 1 }, images: { added: 1 }, missingImages: 1 })
    const body = { source: { filename: name }, mode: 'restore', without: [] }
    const answer = await site.call(applyMerge, { body, ...site.as })
    expect([answer.statusCode, answer.json().code]).toEqual([422, 'archive_refused'])
    await site.storage.put(`backups/${name}`, archive.subarray(0, archive.length - 40))
    expect(
      (await site.call(previewMerge, { body: { source: { filename: name }, mode: 'restore' }, ...site.as })).statusCode,
    ).toBe(422)
    expect(await everythingIn(site)).toEqual(before)
    expect(await site.lastMerge()).toBeNull()
  })
})
