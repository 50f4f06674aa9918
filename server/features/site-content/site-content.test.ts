import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { signOut } from '#contract/accounts.ts'
import { homePage } from '#contract/pages.ts'
import {
  bringBackSiteVersion,
  changeSiteDraft,
  discardSiteDraft,
  listSiteVersions,
  mostVersions,
  publishSite,
  readSiteContent,
  readWords,
} from '#contract/site-content.ts'
import type { FieldChanges } from '#contract/site-fields.ts'
import type { Dialect } from '#server/database/dialect.ts'
import { storeVersion } from '#tests/factories.ts'
import { openTestApp } from '#tests/test-app.ts'
import { testClock } from '#tests/test-clock.ts'
import { databases } from '#tests/test-database.ts'

async function openSite(dialect: Dialect) {
  const site = await openTestApp(dialect)
  const maker = await site.signedIn({ username: 'Ana' })
  const read = () => site.ask(readSiteContent, { as: maker })
  const known = async (revision?: string) => revision ?? (await read()).revision
  return {
    ...site,
    maker,
    read,
    change: async (changes: FieldChanges, revision?: string) =>
      site.call(changeSiteDraft, { as: maker, body: { changes, revision: await known(revision) } }),
    discard: async (revision?: string) =>
      site.call(discardSiteDraft, { as: maker, query: { revision: await known(revision) } }),
    publish: async (revision?: string) => site.call(publishSite, { as: maker, body: { revision: await known(revision) } }),
    bringBack: async (number: number, revision?: string) =>
      site.call(bringBackSiteVersion, {
        as: maker,
        params: { number: String(number) },
        body: { revision: await known(revision) },
      }),
    versions: async () => (await site.ask(listSiteVersions, { as: maker })).versions,
    page: async (query: Record<string, string> = {}) => (await site.call(homePage, { query })).body,
  }
}

describe('the words and pictures of the site', () => {
  test('are as the site came until something is published', async () => {
    const site = await openSite('sqlite')
    expect(await site.read()).toMatchObject({ published: { number: 0, fields: {}, publishedAt: null }, draft: null })
    expect(await site.versions()).toEqual([{ number: 0, author: null, publishedAt: null, changed: 0 }])
    const before = await site.page()
    await site.change({ 'maker.phones.0': '+52 442 111 2233' })
    expect(await site.page()).toBe(before)
    expect(await site.read()).toMatchObject({
      draft: { changes: { 'maker.phones.0': '+52 442 111 2233' }, author: 'Ana', changedAt: site.clock.now().toISOString() },
    })
  })

  test('keep as a draft only what differs from what is published', async () => {
    const site = await openSite('sqlite')
    await site.change({ 'maker.brand': ' Taller   Ana ', 'maker.whatsapp': '', 'en.hero.title': 'Small engines' })
    await site.change({ 'maker.brand': 'Vitrina' })
    expect((await site.read()).draft?.changes).toEqual({ 'maker.whatsapp': '', 'en.hero.title': 'Small engines' })
    await site.publish()
    await site.change({ 'maker.whatsapp': null, 'en.hero.title': 'Large engines' })
    await site.change({ 'en.hero.title': 'Small engines' })
    expect((await site.read()).draft?.changes).toEqual({ 'maker.whatsapp': null })
    await site.change({ 'maker.whatsapp': '' })
    expect((await site.read()).draft).toBeNull()
    await site.change({ 'maker.whatsapp': null })
    expect((await site.publish()).json()).toMatchObject({ published: { fields: { 'en.hero.title': 'Small engines' } } })
    expect((await site.read()).published.fields).toEqual({ 'en.hero.title': 'Small engines' })
  })

  test('lose what is not published when that is discarded', async () => {
    const site = await openSite('sqlite')
    await site.change({ 'maker.brand': 'Taller Ana' })
    expect((await site.discard()).json()).toMatchObject({ draft: null, published: { number: 0 } })
    expect((await site.publish()).json()).toMatchObject({ code: 'nothing_to_publish' })
  })

  test('refuse what a field does not take, and change nothing then', async () => {
    const site = await openSite('sqlite')
    const unknownPhoto = `/objects/${'a'.repeat(64)}`
    const refused = await site.change({
      'maker.email': 'no address',
      'maker.links.instagram': 'javascript:alert(1)',
      'en.hero.title': 'long '.repeat(20),
      'es.hero.title': '  ',
      'photos.hero.image': unknownPhoto,
      'maker.phones.0': '+52 442 111 2233',
    })
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toMatchObject({ code: 'invalid_input', message: 'This is not an email address.' })
    expect(refused.json().fields).toEqual({
      'maker.email': 'This is not an email address.',
      'maker.links.instagram': 'A link must begin with https://, mailto: or tel:.',
      'en.hero.title': 'Use at most 40 characters.',
      'es.hero.title': 'This is missing, empty or not text.',
      'photos.hero.image': 'This photo is not stored here. Please upload it.',
    })
    expect((await site.read()).draft).toBeNull()
    expect((await site.change({ 'maker.secret': 'x' } as FieldChanges)).statusCode).toBe(400)
    expect((await site.change(JSON.parse('{"__proto__":"x"}'))).statusCode).toBe(400)
  })

  test('are not published with a day on which commissions begin, and without the day', async () => {
    const site = await openSite('sqlite')
    await site.change({ 'maker.commissions.state': 'from' })
    const refused = await site.publish()
    expect(refused.statusCode).toBe(400)
    expect(Object.keys(refused.json().fields)).toEqual(['maker.commissions.from'])
    await site.change({ 'maker.commissions.from': '2027-03-01' })
    expect((await site.publish()).statusCode).toBe(200)
  })

  test('lose nothing when the session has ended', async () => {
    const site = await openSite('sqlite')
    await site.change({ 'maker.brand': 'Taller Ana' })
    const before = await site.read()
    const other = await site.signIn(site.maker)
    await site.ask(signOut, { as: other })
    const late = await site.call(publishSite, { as: other, body: { revision: before.revision } })
    expect(late.json()).toMatchObject({ code: 'sign_in_required' })
    expect(await site.read()).toEqual(before)
  })

  test('say that commissions are taken from the day on that was named, by themselves', async () => {
    const clock = testClock('2027-03-01T05:59:59.900Z')
    const site = await openTestApp('sqlite', { clock })
    await storeVersion(site.db, { 'maker.commissions.state': 'from', 'maker.commissions.from': '2027-03-01' })
    const words = () => site.ask(readWords, { query: { lang: 'en' } })
    await expect.poll(words).toEqual({ 'pricing.commissions': 'Taking commissions from March 1, 2027.' })
    clock.pass({ seconds: 1 })
    await expect.poll(words).toEqual({})
  })

  test('take no notice of fields that only another release has', async () => {
    const site = await openSite('sqlite')
    const fields = JSON.stringify({ 'maker.brand': 'Taller Ana', 'maker.fax': '123', 'en.stories.title': 'Stories' })
    await site.db.insertInto('siteVersions').values({ number: 7, fields }).execute()
    expect((await site.read()).published).toMatchObject({ number: 7, fields: { 'maker.brand': 'Taller Ana' }, author: null })
    await site.change({ 'maker.brand': 'Taller Berta' })
    expect((await site.publish()).json()).toMatchObject({ published: { number: 8 } })
  })
})

describe.each(databases)('the words and pictures of the site on %s', (dialect) => {
  test('are shown to everybody once they are published, in both languages', async () => {
    const site = await openSite(dialect)
    await site.change({ 'en.hero.title': 'Small engines', 'es.hero.title': 'Pequeñas máquinas', 'maker.brand': 'Taller Ana' })
    expect((await site.publish()).json()).toMatchObject({
      published: { number: 1, author: 'Ana', publishedAt: site.clock.now().toISOString() },
      draft: null,
    })
    expect(await site.page()).toContain('Small engines')
    expect(await site.page({ lang: 'es' })).toContain('Pequeñas máquinas')
    expect(await site.page()).not.toContain('Vitrina')
    expect(await site.ask(readWords, { query: { lang: 'es' } })).toMatchObject({ 'hero.title': 'Pequeñas máquinas' })
  })

  test('come back from an earlier version, and from the first, while the draft stays', async () => {
    const site = await openSite(dialect)
    await site.change({ 'maker.brand': 'Taller Ana' })
    await site.publish()
    await site.change({ 'maker.brand': 'Taller Berta', 'en.hero.title': 'Small engines' })
    await site.publish()
    await site.change({ 'en.hero.subtitle': 'Not ready yet' })
    expect((await site.bringBack(1)).json()).toMatchObject({
      published: { number: 3, fields: { 'maker.brand': 'Taller Ana' } },
      draft: { changes: { 'en.hero.subtitle': 'Not ready yet' } },
    })
    expect(await site.page()).toContain('Taller Ana')
    expect((await site.bringBack(0)).json()).toMatchObject({ published: { number: 4, fields: {} } })
    expect(await site.page()).not.toContain('Taller Ana')
    expect((await site.bringBack(0)).json()).toMatchObject({ code: 'nothing_to_publish' })
    expect((await site.bringBack(12)).json()).toMatchObject({ code: 'site_version_not_found' })
    expect((await site.versions()).map(({ number, changed }) => [number, changed])).toEqual([
      [4, 1],
      [3, 2],
      [2, 2],
      [1, 1],
      [0, 0],
    ])
  })

  test('are not overwritten by one of two who change them at once', async () => {
    const site = await openSite(dialect)
    const { revision } = await site.read()
    const answers = await Promise.all([
      site.change({ 'maker.brand': 'Taller Ana' }, revision),
      site.change({ 'maker.brand': 'Taller Berta' }, revision),
    ])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    const taken = answers.find(({ statusCode }) => statusCode === 200)?.json()
    expect(await site.read()).toEqual(taken)
    for (const late of [site.publish(revision), site.discard(revision), site.bringBack(0, revision)]) {
      expect((await late).json()).toMatchObject({ code: 'site_changed' })
    }
    expect(await site.read()).toEqual(taken)
  })

  test('are published once when the button is pressed twice', async () => {
    const site = await openSite(dialect)
    const { revision } = (await site.change({ 'maker.brand': 'Taller Ana' })).json()
    const answers = await Promise.all([site.publish(revision), site.publish(revision)])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    expect((await site.versions()).map(({ number }) => number)).toEqual([1, 0])
  })

  test('are kept in the last thirty versions', async () => {
    const site = await openSite(dialect)
    const last = 2 * mostVersions
    for (let round = 1; round < last; round += 1) await storeVersion(site.db, { 'maker.brand': `Taller ${round}` })
    await site.change({ 'maker.brand': `Taller ${last}` })
    await site.publish()
    const versions = await site.versions()
    expect(versions.slice(0, -1).map(({ number }) => number)).toEqual(
      Array.from({ length: mostVersions }, (_, index) => last - index),
    )
    expect(versions.at(-1)?.number).toBe(0)
    expect((await site.bringBack(mostVersions)).json()).toMatchObject({ code: 'site_version_not_found' })
    const oldest = mostVersions + 1
    expect((await site.bringBack(oldest)).json()).toMatchObject({
      published: { fields: { 'maker.brand': `Taller ${oldest}` } },
    })
  })
})

test('a database that is slow to read what was published does not keep the words of before on the page', async () => {
  const site = await openTestApp('postgres')
  const as = await site.signedIn()
  const page = async () => (await site.call(homePage)).body
  const publish = async (title: string) => {
    const { revision } = await site.ask(readSiteContent, { as })
    const changed = await site.ask(changeSiteDraft, { as, body: { revision, changes: { 'en.hero.title': title } } })
    await site.ask(publishSite, { as, body: { revision: changed.revision } })
  }
  await publish('Words of before')
  expect(await page()).toContain('before')
  await publish('Other words')
  await site.db.transaction().execute(async (tx) => {
    await sql`lock table site_versions in access exclusive mode`.execute(tx)
    const asked = page()
    // What PostgreSQL does itself after the statement timeout.
    const cancel = sql`select pg_cancel_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await cancel.execute(site.db)).rows).not.toEqual([])
    expect(await asked).toContain('before')
  })
  await expect.poll(page).toContain('Other')
})
