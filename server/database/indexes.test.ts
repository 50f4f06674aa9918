import { randomUUID } from 'node:crypto'
import { CompiledQuery, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { changePassword, checkSession, deleteAdmin, listAdmins, signIn, signOut } from '#contract/accounts.ts'
import { listActivity, otherPersons } from '#contract/activity.ts'
import {
  changeContact,
  contactStates,
  deleteContact,
  readContactNews,
  readContactPhoto,
  searchContacts,
} from '#contract/contacts.admin.ts'
import { sendContact, sendContactPhoto } from '#contract/contacts.ts'
import { categories, storedHash } from '#contract/first-visit.ts'
import { finalizeUpload, readImage, requestUpload, uploadImage } from '#contract/images.ts'
import { signInPage } from '#contract/pages.ts'
import {
  createProject,
  deleteProject,
  emptyTrash,
  listTrash,
  moveProject,
  removeDeleted,
  restoreProject,
  updateProject,
} from '#contract/projects.admin.ts'
import {
  bringBackSiteVersion,
  changeSiteDraft,
  discardSiteDraft,
  listSiteVersions,
  publishSite,
  readSiteContent,
} from '#contract/site-content.ts'
import { sweepAttempts } from '#server/features/accounts/sign-in-attempts.ts'
import { sweepTokens } from '#server/features/accounts/tokens.queries.ts'
import { sweepActivity } from '#server/features/activity/activity.queries.ts'
import { listContacts, sweepSpam } from '#server/features/contacts/contacts.queries.ts'
import { sweepPhotos } from '#server/features/contacts/visitor-photos.ts'
import { sweepUploads } from '#server/features/images/sweep-images.ts'
import { findBySlugOrId, findProject, listProjects } from '#server/features/projects/projects.queries.ts'
import { sweepTrash } from '#server/features/projects/trash.queries.ts'
import { findImages, findPreview } from '#server/features/site-content/site-content.queries.ts'
import { sweepRequestCounts } from '#server/http/request-counts.ts'
import { sweepExpiredSessions } from '#server/http/sessions.ts'
import { listDue, sweepOutbox } from '#server/mail/outbox.queries.ts'
import { allContacts, allProjects } from '#tests/all-records.ts'
import { aContact, aProject } from '#tests/factories.ts'
import { aPhoto } from '#tests/photos.ts'
import { cookiesFrom, openTestApp, type TestApp } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'
import type { Dialect } from './dialect.ts'
import type { Db } from './tables.ts'

const rows = 20_000
const admins = 100
const large = [
  'projects',
  'contact_messages',
  'contact_replies',
  'contact_photos',
  'outbox',
  'images',
  'sessions',
  'login_attempts',
  'request_counts',
  'upload_tickets',
  'tokens',
  'activity',
] as const

/** Where the two differ: a row of numbers, a number in hexadecimal of a length, a moment so many minutes on. */
const spellings = {
  postgres: {
    numbers: sql`generate_series(1, ${sql.lit(rows)}) as numbers(n)`,
    hex: (digits: number) => sql`lpad(to_hex(n), ${sql.lit(digits)}, '0')`,
    uuid: sql`('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`,
    moment: sql`timestamptz '2026-05-01T12:00:00Z' + n * interval '1 minute'`,
  },
  sqlite: {
    numbers: sql`(with recursive numbers(n) as (values (1) union all select n + 1 from numbers where n < ${sql.lit(rows)})
      select n from numbers) as numbers`,
    hex: (digits: number) => sql`printf(${sql.lit(`%0${digits}x`)}, n)`,
    uuid: sql`printf('00000000-0000-4000-8000-%012x', n)`,
    moment: sql`strftime('%Y-%m-%dT%H:%M:%fZ', '2026-05-01T12:00:00', '+' || n || ' minutes')`,
  },
}

/** As a site looks that has been used for years; what is swept each hour has just been swept. */
async function fill(db: Db, dialect: Dialect) {
  const { numbers, hex, uuid, moment } = spellings[dialect]
  const categoryOf = sql.join(
    categories.map((category, index) => sql`when ${sql.lit(index)} then ${sql.lit(category)}`),
    sql` `,
  )
  const owner =
    dialect === 'postgres'
      ? sql`('00000000-0000-4000-8000-' || lpad(to_hex(1 + n % ${sql.lit(admins)}), 12, '0'))::uuid`
      : sql`printf('00000000-0000-4000-8000-%012x', 1 + n % ${sql.lit(admins)})`
  const statements = [
    sql`insert into projects (id, title, description, category, image_url, created_at, rank, slug)
      select ${uuid}, 'Model ' || n, 'One of many.', case n % 6 ${categoryOf} end, '/objects/' || ${hex(64)}, ${moment}, n, 'model-' || n from ${numbers}`,
    sql`insert into contact_messages (id, name, email, message, created_at, state)
      select ${uuid}, 'Visitor ' || n, 'visitor@example.com', ${sql.lit('Could you build it? '.repeat(15))}, ${moment},
        case n % 50 when 0 then 'new' when 1 then 'spam' when 2 then 'quoted' when 3 then 'answered' else 'closed' end
      from ${numbers}`,
    sql`insert into contact_replies (id, contact_id, text, created_at, sent_at)
      select ${uuid}, ${uuid}, 'Yes.', ${moment}, ${moment} from ${numbers}`,
    sql`insert into contact_photos (id, contact_id, hash, content_type, bytes, width, height, created_at)
      select ${hex(64)}, ${uuid}, ${hex(64)}, 'image/jpeg', 1000, 640, 480, ${moment} from ${numbers}`,
    sql`insert into outbox (id, kind, contact_id, reply_id, message, state, next_attempt_at, created_at)
      select ${uuid}, 'reply', ${uuid}, ${uuid}, '{}', 'sent', ${moment}, ${moment} from ${numbers}`,
    sql`insert into images (hash, content_type, bytes, width, height, placeholder, created_at)
      select ${hex(64)}, 'image/jpeg', 1000, 640, 480, 'data:', ${moment} from ${numbers}`,
    sql`insert into admin_users (id, username, name_key, password_hash, created_at)
      select ${uuid}, 'user ' || n, 'user ' || n, 'none', ${moment} from ${numbers} where n <= ${sql.lit(admins)}`,
    sql`insert into sessions (sid, admin_id, sess, expire) select ${hex(64)}, ${owner}, '{}', ${moment} from ${numbers}`,
    sql`insert into login_attempts (subject, failures, last_failure) select ${hex(64)}, 1, ${moment} from ${numbers}`,
    sql`insert into request_counts (subject, count, window_ends) select ${hex(64)}, 1, ${moment} from ${numbers}`,
    sql`insert into upload_tickets (id, admin_id, state, expires_at) select ${hex(64)}, ${owner}, 'used', ${moment} from ${numbers}`,
    sql`insert into tokens (id, kind, admin_id, expires_at) select ${hex(64)}, 'address', ${owner}, ${moment} from ${numbers}`,
    sql`insert into activity (id, at, admin_id, account, kind, details)
      select ${uuid}, ${moment}, ${owner}, 'maker', 'signed_in', '{}' from ${numbers}`,
  ]
  for (const statement of statements) await statement.execute(db)
  // PostgreSQL does so by itself; the built-in database is never told what is in its tables.
  if (dialect === 'postgres') await sql`vacuum analyze`.execute(db)
}

/** Everything a visitor and a maker do, by the very calls and queries of the site. */
async function liveThroughADay(site: TestApp) {
  const { db, clock } = site
  await allProjects(db)
  await listProjects(db, { category: 'ships' }, { limit: 24 })
  await listProjects(db, {}, { limit: 24, after: { id: randomUUID(), rank: 500 } })
  await findProject(db, randomUUID())
  await findBySlugOrId(db, 'model-500')
  await allContacts(db)
  await listContacts(db, { limit: 60, after: { id: randomUUID(), createdAt: '2026-01-01T00:00:00.000Z' } })
  const sent = await site.call(sendContactPhoto, { body: await aPhoto(), headers: { 'content-type': 'image/jpeg' } })
  await site.ask(sendContact, { body: aContact({ photos: [sent.json().photo], about: 'model-500' }) })
  await site.call(signInPage)

  const maker = await site.signedIn()
  const { password } = maker
  await site.ask(checkSession, { as: maker })
  const passwords = { currentPassword: password, newPassword: `${password} again` }
  maker.cookie = cookiesFrom(await site.call(changePassword, { as: maker, body: passwords }))
  await site.call(signIn, { body: { username: maker.username, password }, as: maker })
  await site.call(signIn, { body: { username: 'nobody', password } })
  await site.ask(listAdmins, { as: maker })
  await site.call(deleteContact, { as: maker })
  await site.ask(readContactNews, { as: maker })
  for (const state of [undefined, ...contactStates]) {
    const query = { limit: '20', ...(state && { state }) }
    const { next } = await site.ask(searchContacts, { as: maker, query })
    if (next) await site.ask(searchContacts, { as: maker, query: { ...query, after: next } })
  }
  await site.ask(searchContacts, {
    as: maker,
    query: { limit: '20', after: '2026-05-10T12:00:00.000Z,00000000-0000-4000-8000-000000000001' },
  })
  const { contacts } = await site.ask(searchContacts, { as: maker, query: { state: 'new', limit: '1' } })
  const contact = { id: contacts[0]?.id ?? '' }
  await site.ask(changeContact, { as: maker, params: contact, body: { state: 'answered' } })
  await site.ask(changeContact, { as: maker, params: contact, body: { note: 'Call', was: null } })
  await site.call(readContactPhoto, { as: maker, params: { hash: '0'.repeat(64) } })
  await site.ask(deleteContact, { as: maker, params: contact })
  await sweepSpam(site.db, site.clock)
  await sweepPhotos(site)

  const { uploadURL } = await site.ask(requestUpload, { as: maker })
  const ticket = new URL(uploadURL).pathname.split('/').at(-1) ?? ''
  await site.call(uploadImage, {
    as: maker,
    params: { ticket },
    body: await aPhoto(),
    headers: { 'content-type': 'image/jpeg' },
  })
  const { objectPath } = await site.ask(finalizeUpload, { as: maker, body: { imageURL: uploadURL } })
  await site.call(readImage, { params: { hash: storedHash(objectPath) ?? '' } })
  let { revision } = await site.ask(readSiteContent, { as: maker })
  const changeSite = async (changes: object) => {
    revision = (await site.ask(changeSiteDraft, { as: maker, body: { revision, changes } })).revision
  }
  await changeSite({ 'photos.hero.image': objectPath })
  await findImages(db, (await findPreview(db, 'draft')) ?? {})
  revision = (await site.ask(publishSite, { as: maker, body: { revision } })).revision
  await findPreview(db, '1')
  await site.ask(listSiteVersions, { as: maker })
  const asItCame = { as: maker, params: { number: '0' }, body: { revision } }
  revision = (await site.ask(bringBackSiteVersion, asItCame)).revision
  await changeSite({ 'maker.brand': 'Taller Ana' })
  await site.ask(discardSiteDraft, { as: maker, query: { revision } })
  const { id } = await site.ask(createProject, { as: maker, body: aProject({ imageUrl: objectPath }) })
  await site.ask(updateProject, { as: maker, params: { id }, body: { title: 'Renamed' } })
  const [, , third] = await listProjects(db, { drafts: true }, { limit: 3 })
  for (const side of ['before', 'after']) {
    await site.ask(moveProject, { as: maker, params: { id }, body: { [side]: third?.id } })
  }
  await site.ask(deleteProject, { as: maker, params: { id } })
  await site.ask(listTrash, { as: maker, query: { limit: '24' } })
  await site.ask(restoreProject, { as: maker, params: { id } })
  await site.ask(deleteProject, { as: maker, params: { id } })
  await site.ask(removeDeleted, { as: maker, params: { id } })
  await site.ask(emptyTrash, { as: maker })
  await sweepTrash(db, clock)

  await listDue(db, clock.now())
  await sweepOutbox(db, clock)
  await sweepExpiredSessions(db, clock)
  await sweepAttempts(db, clock)
  await sweepTokens(db, clock)
  await sweepActivity(db, clock)
  await sweepRequestCounts(db, clock)
  await sweepUploads(site)
  const { next } = await site.ask(listActivity, { as: maker, query: { limit: '50' } })
  const filters = [
    { after: next ?? '' },
    { group: 'access' },
    { group: 'backups', after: next ?? '' },
    { person: maker.adminId },
  ]
  for (const query of [...filters, ...otherPersons.map((person) => ({ person }))]) {
    await site.ask(listActivity, { as: maker, query: { limit: '50', ...query } })
    await site.ask(listActivity, { as: maker, query: { limit: '50', group: 'accounts', ...query } })
  }
  await site.ask(signOut, { as: maker })
  await site.call(deleteAdmin, { as: await site.signedIn({ username: 'second' }), params: { id: maker.adminId } })
}

/** The parts of a plan that read a large table from end to end, or put its rows in order by themselves. */
const troubles: Record<Dialect, RegExp> = {
  postgres: new RegExp(`Seq Scan on (${large.join('|')})|\\bSort\\b`),
  sqlite: new RegExp(`SCAN (${large.join('|')})(?! USING)|TEMP B-TREE`),
}

async function planOf(db: Db, dialect: Dialect, { sql: text, parameters }: CompiledQuery) {
  const explain = dialect === 'postgres' ? 'explain' : 'explain query plan'
  const { rows: lines } = await db.transaction().execute(async (tx) => {
    // As PostgreSQL advises for disks that do not spin. On those that do, it rightly reads all to find a sixth.
    if (dialect === 'postgres') await sql`set local random_page_cost = 1.1`.execute(tx)
    return tx.executeQuery<Record<string, unknown>>(CompiledQuery.raw(`${explain} ${text}`, [...parameters]))
  })
  return lines.map((line) => String(line.detail ?? Object.values(line)[0]))
}

describe.each(databases)('with twenty thousand of everything on %s', (dialect) => {
  test('no statement of a page reads a whole table to find a few rows, nor sorts what an index has in order', {
    timeout: 240_000,
  }, async () => {
    const statements = new Map<string, CompiledQuery>()
    let watching = false
    const site = await openTestApp(dialect, {
      onStatement: (statement) => {
        if (watching && /^(select|insert|update|delete)/.test(statement.sql)) statements.set(statement.sql, statement)
      },
    })
    await fill(site.db, dialect)
    watching = true
    await liveThroughADay(site)
    watching = false

    expect(statements.size).toBeGreaterThan(25)
    const scans: string[] = []
    for (const statement of statements.values()) {
      const plan = await planOf(site.db, dialect, statement)
      const isLarge = plan.some((line) => large.some((table) => line.includes(table)))
      const bad = plan.filter((line) => isLarge && troubles[dialect].test(line))
      if (bad.length > 0) scans.push(`${statement.sql.slice(0, 160)}\n  ${bad.join('\n  ')}`)
    }
    expect(scans).toEqual([])
  })
})
