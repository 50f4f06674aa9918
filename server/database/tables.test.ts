import type { InsertType, SelectType } from 'kysely'
import { describe, expect, test } from 'vitest'
import { databases, openTestDatabase } from '#tests/test-database.ts'
import type { Dialect } from './dialect.ts'
import type { Tables } from './tables.ts'

type Kind = 'text' | 'name' | 'uuid' | 'moment' | 'integer' | 'real' | 'boolean' | 'json'
type KindOf<Value> = Value extends string
  ? 'text' | 'name' | 'uuid' | 'moment'
  : Value extends number
    ? 'integer' | 'real'
    : Value extends boolean
      ? 'boolean'
      : 'json'

/** `?` where it may be null, `=` where the database fills it in. */
type Declared<Column> =
  null extends SelectType<Column>
    ? `${KindOf<NonNullable<SelectType<Column>>>}?`
    : undefined extends InsertType<Column>
      ? `${KindOf<SelectType<Column>>}=`
      : KindOf<SelectType<Column>>

/** The compiler compares it with the types of `tables.ts`, the test below with the tables that the migrations make. */
const declared: { [Table in keyof Tables]: { [Column in keyof Tables[Table]]: Declared<Tables[Table][Column]> } } = {
  projects: {
    id: 'uuid',
    title: 'text',
    description: 'text',
    category: 'text',
    imageUrl: 'text',
    scale: 'text?',
    materials: 'text?',
    techniques: 'text?',
    timeSpent: 'text?',
    beforeImageUrl: 'text?',
    afterImageUrl: 'text?',
    featured: 'boolean=',
    createdAt: 'moment=',
    version: 'integer=',
    slug: 'text=',
    rank: 'real=',
    draft: 'boolean=',
    deletedAt: 'moment?',
  },
  projectTexts: {
    projectId: 'uuid',
    language: 'text',
    title: 'text?',
    description: 'text?',
    materials: 'text?',
    techniques: 'text?',
  },
  projectPhotos: { projectId: 'uuid', position: 'integer', imageUrl: 'text', caption: 'text?' },
  projectPhotoTexts: { projectId: 'uuid', position: 'integer', language: 'text', caption: 'text?' },
  projectAddresses: { slug: 'text', projectId: 'uuid' },
  contactMessages: {
    id: 'uuid',
    name: 'text',
    email: 'text',
    projectType: 'text?',
    message: 'text',
    createdAt: 'moment=',
    state: 'text=',
    language: 'text?',
    aboutId: 'uuid?',
    aboutTitle: 'text?',
    note: 'text?',
    spamReason: 'text?',
    changedAt: 'moment?',
  },
  contactReplies: { id: 'uuid', contactId: 'uuid', text: 'text', createdAt: 'moment=', sentAt: 'moment?' },
  contactPhotos: {
    id: 'text',
    contactId: 'uuid?',
    position: 'integer=',
    hash: 'text',
    contentType: 'text',
    bytes: 'integer',
    width: 'integer',
    height: 'integer',
    createdAt: 'moment=',
  },
  outbox: {
    id: 'uuid',
    kind: 'text',
    contactId: 'uuid?',
    replyId: 'uuid?',
    message: 'json',
    state: 'text=',
    attempts: 'integer=',
    nextAttemptAt: 'moment',
    lastError: 'text?',
    createdAt: 'moment',
  },
  adminUsers: {
    id: 'uuid',
    username: 'name',
    nameKey: 'text',
    passwordHash: 'text',
    lastLogin: 'moment?',
    createdAt: 'moment=',
    demo: 'boolean=',
    role: 'text=',
    email: 'text?',
  },
  sessions: {
    sid: 'text',
    adminId: 'uuid',
    sess: 'json',
    expire: 'moment',
    browser: 'text?',
    system: 'text?',
    usedAt: 'moment?',
  },
  loginAttempts: { subject: 'text', failures: 'integer', lastFailure: 'moment' },
  requestCounts: { subject: 'text', count: 'integer', windowEnds: 'moment' },
  images: {
    hash: 'text',
    contentType: 'text',
    bytes: 'integer',
    width: 'integer',
    height: 'integer',
    placeholder: 'text',
    createdAt: 'moment=',
    unreferencedSince: 'moment?',
  },
  uploadTickets: { id: 'text', adminId: 'uuid', state: 'text', expiresAt: 'moment' },
  site: {
    id: 'uuid?',
    createdAt: 'moment=',
    deviceKey: 'text=',
    contentVersion: 'text=',
    acknowledges: 'boolean=',
    panelLanguage: 'text=',
    opened: 'boolean=',
    firstStepsDone: 'boolean=',
    backupTakenAt: 'moment?',
    clock: 'text?',
    countsVisits: 'boolean=',
  },
  siteVersions: { number: 'integer', fields: 'json', author: 'text?', createdAt: 'moment=' },
  siteDraft: { id: 'integer', changes: 'json', revision: 'text', author: 'text?', changedAt: 'moment' },
  backupCare: {
    id: 'integer',
    nightly: 'boolean?',
    at: 'text=',
    keepDaily: 'integer=',
    keepWeekly: 'integer=',
    keepMonthly: 'integer=',
    working: 'json?',
    lastMerge: 'json?',
  },
  jobs: {
    name: 'text',
    lastSuccess: 'moment?',
    failures: 'integer=',
    lastError: 'json?',
    nextTry: 'moment?',
    result: 'json?',
  },
  knownBackups: { filename: 'text', sha256: 'text', checkedAt: 'moment', copiedAt: 'moment?' },
  mergedRecords: { mergeId: 'uuid', list: 'text', recordId: 'uuid', before: 'json?', after: 'text' },
  passkeys: {
    id: 'text',
    adminId: 'uuid',
    name: 'text',
    publicKey: 'text',
    counter: 'real',
    transports: 'json',
    createdAt: 'moment',
    usedAt: 'moment?',
  },
  tokens: { id: 'text', kind: 'text', adminId: 'uuid?', email: 'text?', expiresAt: 'moment' },
  activity: { id: 'uuid', at: 'moment', adminId: 'uuid?', account: 'text?', kind: 'text', details: 'json' },
  statistics: { day: 'text', kind: 'text', name: 'text', count: 'integer' },
  settings: { name: 'text', value: 'json', secret: 'text?', setAt: 'moment' },
}

/** What each database calls them. */
const spelled: Record<Dialect, Record<Kind, string>> = {
  sqlite: {
    text: 'text',
    name: 'text',
    uuid: 'text',
    moment: 'text',
    integer: 'integer',
    real: 'double precision',
    boolean: 'boolean',
    json: 'json',
  },
  postgres: {
    text: 'text',
    name: 'varchar',
    uuid: 'uuid',
    moment: 'timestamptz',
    integer: 'int4',
    real: 'float8',
    boolean: 'bool',
    json: 'jsonb',
  },
}

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

describe.each(databases)('a new database on %s', (dialect) => {
  test('has the tables and columns that the code declares, each with its type, and no others', async () => {
    const { db } = await openTestDatabase(dialect)
    const columns = Object.fromEntries(
      (await db.introspection.getTables()).map(({ name, columns }) => [
        camelCase(name),
        Object.fromEntries(
          columns.map(({ name: column, dataType, isNullable, hasDefaultValue }) => [
            camelCase(column),
            `${dataType.toLowerCase()}${isNullable ? '?' : hasDefaultValue ? '=' : ''}`,
          ]),
        ),
      ]),
    )
    const spell = (kind: string) => kind.replace(/^\w+/, (word) => spelled[dialect][word as Kind])
    const expected = Object.entries(declared).map(([table, columns]) => [
      table,
      Object.fromEntries(Object.entries(columns).map(([column, kind]) => [column, spell(kind)])),
    ])
    expect(columns).toEqual(Object.fromEntries(expected))
  })
})
