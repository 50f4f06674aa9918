import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { sections as sectionsEn } from '#content/en/sections.ts'
import { maker } from '#content/maker.ts'
import { storedAddress } from '#contract/images.ts'
import type { OwnFields } from '#contract/site-fields.ts'
import type { Dialect } from '#server/database/dialect.ts'
import { imageName } from '#server/features/images/image.rules.ts'
import { quarantine } from '#server/features/images/image-quarantine.ts'
import {
  anExport,
  archiveEntries,
  aStoredPhoto,
  asOpenFile,
  backupCalls,
  contentOf,
  everythingIn,
  fill,
  ownWords,
} from '#tests/backups.ts'
import { aProject, storeVersion } from '#tests/factories.ts'
import { rawZip } from '#tests/raw-zip.ts'
import { openTestApp, type TestApp } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'
import { openBackupFile } from './read-backup.ts'

const draft = {
  id: 1,
  changes: JSON.stringify({ 'maker.city': 'Mérida', 'maker.brand': null }),
  revision: 'of the draft',
  author: 'maker',
  changedAt: '2026-04-05T08:00:00.000Z',
}

/** A photo of the site, which no project shows. */
async function storePortrait({ db, storage }: Pick<TestApp, 'db' | 'storage'>, number = 31) {
  const { hash, content, ...facts } = await aStoredPhoto(number)
  await storage.put(imageName(hash), content)
  await db
    .insertInto('images')
    .values({ hash, bytes: content.length, ...facts })
    .execute()
  return {
    hash,
    content,
    fields: { 'photos.portrait.image': storedAddress(hash), 'photos.portrait.point': '50 30' } as OwnFields,
  }
}

describe('own words and pictures in backups', () => {
  async function openSite(dialect: Dialect = 'sqlite') {
    const site = await openTestApp(dialect)
    const fields = async () => (await contentOf(site)).site
    const versions = () => site.db.selectFrom('siteVersions').selectAll().orderBy('number').execute()
    const page = async () => (await site.app.inject({ url: '/' })).payload
    return { ...site, ...(await backupCalls(site)), fields, versions, page }
  }
  type Site = Awaited<ReturnType<typeof openSite>>
  const nothing = { added: 0, broughtBack: 0 }

  async function changesNothing(site: Site, merge: () => Promise<object>) {
    const before = await everythingIn(site)
    expect(await merge()).toMatchObject({ site: nothing })
    expect(await everythingIn(site)).toEqual(before)
  }

  test('a complete backup brings an empty site all that is published, and its page shows the portrait again', async () => {
    const site = await openSite()
    const portrait = await storePortrait(site)
    await storeVersion(site.db, { 'maker.brand': 'As it was before' })
    await storeVersion(site.db, { ...ownWords, ...portrait.fields })
    await site.db.insertInto('siteDraft').values(draft).execute()
    const archive = await site.completeBackup()

    const other = await openSite()
    expect(await other.page()).not.toContain(portrait.hash)
    expect(await other.restore(archive)).toMatchObject({
      message: 'Complete backup restored: 0 projects, 0 contacts, 1 images found',
      site: { added: 7, broughtBack: 0 },
      missingImages: 0,
    })
    expect(await contentOf(other)).toEqual(await contentOf(site))
    // Only what was published last comes along.
    expect(await other.versions()).toEqual([
      { number: 1, fields: { ...ownWords, ...portrait.fields }, author: null, createdAt: expect.any(String) },
    ])
    expect((await everythingIn(other)).draft).toEqual([])
    const page = await other.page()
    expect(page).toContain(portrait.hash)
    expect(page).toContain('Ñandú &amp; &lt;b&gt;Söhne&lt;/b&gt; 🚢')
    expect(page).not.toMatch(/<script>alert|<b>Söhne/)
    await changesNothing(other, () => other.restore(archive))
  })

  test('an import adds what is missing and changes nothing of what is there', async () => {
    const site = await openSite()
    await storeVersion(site.db, { ...ownWords, 'maker.phones.1': '+52 55 1234 5678', 'maker.city': 'Xalapa' })
    const data = await site.exported()
    const other = await openSite()
    // An emptied one is there as well.
    await storeVersion(other.db, { 'maker.brand': 'Berta', 'maker.phones.1': '', 'en.hero.title': 'Ships' })
    await other.db.insertInto('siteDraft').values(draft).execute()
    const { draft: untouched } = await everythingIn(other)
    expect(await other.importing(data)).toMatchObject({
      message: 'Import completed: 0 projects, 0 contacts',
      imported: { projects: 0, contacts: 0 },
      site: { added: 3, broughtBack: 0 },
    })
    const merged = { ...ownWords, 'maker.city': 'Xalapa', 'maker.brand': 'Berta', 'en.hero.title': 'Ships' }
    expect(await other.fields()).toEqual(merged)
    expect((await other.versions()).map(({ number, author }) => [number, author])).toEqual([
      [1, 'maker'],
      [2, null],
    ])
    expect((await everythingIn(other)).draft).toEqual(untouched)
    await changesNothing(other, () => other.importing(data))
    // What says the same as the site itself does is not the maker's own.
    const original = { 'maker.email': maker.email, 'en.services.label': sectionsEn.services.label }
    await changesNothing(other, () => other.importing({ site: { fields: original, publishedAt: draft.changedAt } }))
  })

  test('a restore makes the fields those of the file as a whole, as a new version, and the draft stays', async () => {
    const site = await openSite()
    await fill(site)
    const archive = await site.completeBackup()
    const before = await contentOf(site)
    await storeVersion(site.db, { 'maker.brand': 'Changed since', 'maker.city': 'Xalapa', 'en.hero.title': 'Ships' })
    await site.db.insertInto('siteDraft').values(draft).execute()
    expect(await site.restore(archive)).toMatchObject({
      imported: { projects: 0, contacts: 0, images: 0 },
      site: { added: 4, broughtBack: 3 },
    })
    expect(await contentOf(site)).toEqual(before)
    expect((await site.versions()).map(({ author }) => author)).toEqual(['maker', 'maker', null])
    expect((await everythingIn(site)).draft).toMatchObject([{ revision: draft.revision }])
    await changesNothing(site, () => site.restore(archive))
  })

  test('the site as it came is brought back as well, and what knows nothing of it changes nothing', async () => {
    const site = await openSite()
    const empty = await site.exported()
    const older = rawZip(archiveEntries({ projects: [] }))
    await storeVersion(site.db, ownWords)
    expect(empty.site).toBeNull()
    await changesNothing(site, () => site.importing(empty))
    await changesNothing(site, () => site.restore(older))
    await changesNothing(site, () => site.restore(rawZip(archiveEntries({}, { data: empty }))))

    await storeVersion(site.db, {})
    const asItCame = await site.completeBackup()
    await storeVersion(site.db, ownWords)
    expect(await site.restore(asItCame)).toMatchObject({ site: { added: 0, broughtBack: 5 } })
    expect(await site.fields()).toEqual({})
  })

  test.each(databases)('what is published while a file is imported stays, on %s', async (dialect) => {
    const site = await openSite(dialect)
    const importing = await site.database.db.transaction().execute(async (tx) => {
      await storeVersion(tx, { 'maker.brand': 'Published meanwhile' })
      const begun = site.importing({ site: { fields: ownWords } })
      const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      const isWaiting = async () => (await waiting.execute(site.db)).rows.length > 0
      if (dialect === 'postgres') await expect.poll(isWaiting, { interval: 20, timeout: 20_000 }).toBe(true)
      return { begun }
    })
    expect(await importing.begun).toMatchObject({ site: { added: 4, broughtBack: 0 } })
    expect(await site.fields()).toEqual({ ...ownWords, 'maker.brand': 'Published meanwhile' })
  })

  test('a photo that an export only names is counted, and the page shows its own until it comes', async () => {
    const site = await openSite()
    const portrait = await storePortrait(site)
    await storeVersion(site.db, { ...portrait.fields, 'maker.city': 'Xalapa' })
    const data = await site.exported()
    const archive = await site.completeBackup()
    const other = await openSite()
    expect(await other.importing(data)).toMatchObject({ site: { added: 3 }, missingImages: 1 })
    expect(await other.fields()).toMatchObject(portrait.fields)
    expect(await other.page()).not.toContain(portrait.hash)
    expect(await other.restore(archive)).toMatchObject({ added: { images: 1 }, site: nothing, missingImages: 0 })
    expect(await other.page()).toContain(portrait.hash)

    // In quarantine it is not missed either, and comes back.
    await storeVersion(other.db, {})
    await other.db.deleteFrom('images').execute()
    await quarantine(other, [imageName(portrait.hash)])
    expect(await other.importing(data)).toMatchObject({ site: { added: 3 }, missingImages: 0 })
    expect(await other.page()).toContain(portrait.hash)

    // One that is not shown after the import is not missed.
    const third = await openSite()
    const ours = await storePortrait(third, 32)
    await storeVersion(third.db, ours.fields)
    expect(await third.importing(data)).toMatchObject({ site: { added: 1 }, missingImages: 0 })
    expect(await third.fields()).toEqual({ ...ours.fields, 'maker.city': 'Xalapa' })
  })
})

const title = (value: unknown) => ({ fields: { 'en.hero.title': value } })
const hostile: Record<string, [site: unknown, sentence: RegExp]> = {
  'an unknown field': [{ fields: { 'en.hero.html': 'x' } }, /Site texts: unknown fields: en\.hero\.html\./],
  'a key beside the fields': [{ fields: {}, versions: [] }, /Site texts: unknown fields: versions\./],
  'a number for a text': [title(7), /Site texts, en\.hero\.title: this is missing, empty or not text\./],
  'an object for a text': [title({ en: { en: 'x' } }), /not text/],
  'a text for everything': ['x', /Site texts: this is not a record/],
  'no fields': [{}, /Site texts: this is not a record/],
  'a moment that never was': [{ fields: {}, publishedAt: 'now' }, /Site texts, publishedAt: this is not a date/],
  'a text beyond its limit': [title('x'.repeat(41)), /en\.hero\.title: use at most 40 characters/],
  'a text of 6,000 characters': [title('x'.repeat(6_000)), /en\.hero\.title: use at most 5,000 characters/],
  'invisible characters': [title('a\u0000b'), /en\.hero\.title: this contains invisible characters/],
  'half a character': [title('a\ud800b'), /en\.hero\.title: this contains invisible characters/],
  'an empty brand': [{ fields: { 'maker.brand': '' } }, /maker\.brand: this is missing/],
  'an address that is none': [{ fields: { 'maker.email': 'nobody' } }, /maker\.email: this is not an email address/],
  'a link that runs something': [
    { fields: { 'maker.brand': 'Ana', 'maker.links.instagram': 'javascript:alert(1)' } },
    /Site texts, maker\.links\.instagram: a link must begin with https:\/\/, mailto: or tel:\./,
  ],
  'a link that hides what it is': [{ fields: { 'maker.links.facebook': 'java\nscript:alert(1)' } }, /links\.facebook: /],
  'a photo from anywhere': [{ fields: { 'photos.hero.image': 'https://example.com/x.jpg' } }, /photos\.hero\.image: /],
  'a photo that leads out': [{ fields: { 'photos.hero.image': '/objects/../x' } }, /photos\.hero\.image: /],
  'a point that is a style': [{ fields: { 'photos.hero.point': '0;}*{' } }, /photos\.hero\.point: /],
  'a colour that is not offered': [{ fields: { 'maker.accent': 'red' } }, /maker\.accent: use one of these: brass,/],
}

describe('hostile texts of the site are refused whole', () => {
  test.each(Object.entries(hostile))('%s', async (_, [site, sentence]) => {
    const texts = { 'site.json': JSON.stringify(site) }
    const archive = asOpenFile(rawZip(archiveEntries({ projects: [aProject()] }, { texts })))
    await expect(openBackupFile(archive, 'a.zip')).rejects.toThrow(sentence)
    const data = { ...anExport({ projects: [aProject()] }), site }
    await expect(openBackupFile(asOpenFile(Buffer.from(JSON.stringify(data))), 'a.json')).rejects.toThrow(sentence)
  })
})
