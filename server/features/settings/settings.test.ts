import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { CreateBucketCommand, PutBucketPolicyCommand } from '@aws-sdk/client-s3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { maker } from '#content/maker.ts'
import { listActivity } from '#contract/activity.ts'
import { readBackupStatus } from '#contract/backup-status.ts'
import { createCompleteBackup, downloadBackup, exportData } from '#contract/backups.ts'
import { listContacts } from '#contract/contacts.admin.ts'
import { sendContact } from '#contract/contacts.ts'
import { checkHealth } from '#contract/health.ts'
import { readFirstSteps } from '#contract/overview.ts'
import { readLinkNeeds } from '#contract/recovery.ts'
import {
  changeAddress,
  changeMail,
  changeOffsite,
  changePassphrase,
  changeTimeZone,
  readSettings,
  removeSetting,
  sendTestMail,
  tryMail,
} from '#contract/settings.ts'
import { storedBackup } from '#server/backup/backup-names.ts'
import { recordChecked, recordCopied } from '#server/backup/backup-state.ts'
import { type Config, readConfig } from '#server/config.ts'
import { connect } from '#server/storage/s3.ts'
import { aContact, storeVersion } from '#tests/factories.ts'
import { runBackupJobs } from '#tests/jobs.ts'
import { mailSettingsFor, startSmtp } from '#tests/smtp.ts'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { cookiesFrom, openTestApp, type TestApp } from '#tests/test-app.ts'
import { databases, migratedDatabase } from '#tests/test-database.ts'
import { testBucket } from '#tests/test-storage.ts'

const account = { user: 'ana@example.com', pass: 'app password of Ana' }

async function startMailServer(options: Parameters<typeof startSmtp>[0] = { account }) {
  const smtp = await startSmtp(options)
  onTestFinished(() => smtp.stop())
  const { hostname: host, port } = new URL(smtp.url.replace(/^smtps?/, 'http'))
  const mail = {
    ...{ host, port: Number(port), secure: options.tls === 'from the start', user: account.user, password: account.pass },
    ...{ from: 'Ana <ana@example.com>', to: 'ana@example.com, Luis <luis@example.com>' },
  }
  return { smtp, mail }
}

/** Status, code and details of a call that is refused. */
async function refusal(site: TestApp, ...[endpoint, sent]: Parameters<TestApp['call']>) {
  const answer = await site.call(endpoint, sent)
  const { code, details } = answer.json()
  return { status: answer.statusCode, code, details }
}

async function openOwned(...[dialect = 'sqlite', options]: Partial<Parameters<typeof openTestApp>>) {
  const site = await openTestApp(dialect, options)
  return Object.assign(site, { as: await site.signedIn() })
}

describe.each(databases)('on %s', (dialect) => {
  test('what is set in one process is used by the other within a second, and its password reads back from nowhere', async () => {
    const place = await migratedDatabase(dialect)
    const keyFile = path.join(await temporaryFolder(), 'key')
    await writeFile(keyFile, 'k'.repeat(40))
    const config = { secretKeyFile: keyFile, rateLimits: false }
    const lines: string[] = []
    const site = await openOwned(dialect, { place, config, onLogged: (line) => lines.push(JSON.stringify(line)) })
    const other = await openTestApp(dialect, { place, config, onLogged: (line) => lines.push(JSON.stringify(line)) })
    const { as } = site
    const { smtp, mail } = await startMailServer()
    const answers = [
      await site.ask(changeMail, { as, body: mail }),
      await site.ask(changePassphrase, { as, body: { passphrase: 'horse battery staple' } }),
      await site.ask(changeTimeZone, { as, body: { timeZone: 'Pacific/Auckland' } }),
      await site.ask(changeAddress, { as, body: { url: 'http://Models.example:80/' } }),
    ]
    expect(answers[3]).toMatchObject({
      mail: { source: 'panel', value: { host: '127.0.0.1', user: account.user }, secretSetAt: '2026-05-01T12:00:00.000Z' },
      address: { source: 'panel', value: { url: 'http://models.example' }, secretSetAt: null },
      timeZone: { source: 'panel', value: { timeZone: 'Pacific/Auckland' } },
      passphrase: { source: 'panel', value: {} },
    })
    await expect.poll(() => other.config.publicUrl, { timeout: 5_000 }).toBe('http://models.example')
    expect(other.config).toMatchObject({
      timeZone: 'Pacific/Auckland',
      backupSecret: { passphrase: 'horse battery staple' },
      mail: { server: { credentials: account } },
    })
    await other.ask(sendContact, { body: aContact({ name: 'Nina' }) })
    await expect.poll(() => smtp.received.length, { timeout: 20_000 }).toBe(2)
    expect(smtp.received[0]?.text).toContain('http://models.example/admin')
    expect(smtp.received[0]?.text).toMatch(/GMT\+12|NZST/)
    expect((await other.call({ ...readLinkNeeds, access: 'public' } as never, { as })).json()).toEqual({ missing: [] })
    expect(await (await other.call({ path: '/robots.txt', method: 'GET' } as never)).body).toContain(
      'http://models.example/sitemap.xml',
    )

    const exported = await site.call(exportData, { as })
    const { filename } = await site.ask(createCompleteBackup, { as })
    const stored = (await site.storage.read(storedBackup(filename)))?.toString('latin1') ?? ''
    const rows = await site.db.selectFrom('settings').selectAll().execute()
    const health = await site.call(checkHealth)
    const everything = [JSON.stringify(answers), exported.body, stored, JSON.stringify(rows), health.body, ...lines].join('\n')
    for (const secret of [account.pass, 'horse battery staple']) {
      for (const form of [secret, Buffer.from(secret).toString('base64'), encodeURIComponent(secret)]) {
        expect(everything.includes(form), form).toBe(false)
      }
    }
    expect(stored.includes('Pacific/Auckland')).toBe(false)
    const { entries } = await site.ask(listActivity, { as, query: { group: 'settings' } })
    expect(entries.map(({ kind }) => kind).toSorted()).toEqual([
      'address_changed',
      'backup_settings_changed',
      'mail_settings_changed',
      'time_zone_changed',
    ])

    for (const name of ['mail', 'passphrase', 'timeZone', 'address'] as const) {
      await site.ask(removeSetting, { as, params: { name } })
    }
    expect(site.config).toMatchObject({
      mail: undefined,
      backupSecret: undefined,
      timeZone: maker.timeZone,
      publicUrl: undefined,
    })
    await expect.poll(() => other.config.mail, { timeout: 5_000 }).toBeUndefined()
    expect(await site.db.selectFrom('settings').select('name').execute()).toEqual([])
  })
})

describe('settings', () => {
  test('belong to owners who have just proven themselves, and to no others', async () => {
    const site = await openOwned()
    const { mail } = await startMailServer()
    const helper = await site.signedIn({ username: 'Luis', role: 'helper' })
    const calls = [
      [changeMail, { body: mail }],
      [tryMail, { body: mail }],
      [sendTestMail, {}],
      [changeAddress, { body: { url: 'http://models.example' } }],
      [changeTimeZone, { body: { timeZone: 'UTC' } }],
      [changeOffsite, { body: { kind: 'folder', folder: '/' } }],
      [changePassphrase, { body: { passphrase: 'horse battery staple' } }],
      [removeSetting, { params: { name: 'mail' } }],
    ] as const
    for (const [endpoint, sent] of calls) {
      expect((await site.call(endpoint, sent)).statusCode, endpoint.path).toBe(401)
      expect((await site.call(endpoint, { ...sent, as: helper })).statusCode, endpoint.path).toBe(403)
    }
    expect((await site.call(readSettings, { as: helper })).statusCode).toBe(403)
    site.clock.pass({ minutes: 16 })
    for (const [endpoint, sent] of calls.filter(([endpoint]) => endpoint !== sendTestMail)) {
      expect(await refusal(site, endpoint, { ...sent, as: site.as }), endpoint.path).toMatchObject({ code: 'password_needed' })
    }
    expect((await site.ask(readSettings, { as: site.as })).mail.source).toBeNull()
  })

  test('of the environment win, are shown without their passwords, and cannot be changed', async () => {
    const { smtp, mail } = await startMailServer()
    const folder = await temporaryFolder()
    const env = {
      ...mailSettingsFor({ url: smtp.url.replace('//', '//ana:secret@') }),
      ...{ PUBLIC_URL: 'https://own.example', OFFSITE_DIR: folder, BACKUP_PASSPHRASE: 'from the environment' },
    }
    const { mail: set, publicUrl, offsite, backupSecret } = readConfig(env)
    const config = { mail: set, publicUrl, offsite, backupSecret } as Partial<Config>
    const site = await openOwned('sqlite', { config })
    const shown = await site.ask(readSettings, { as: site.as })
    for (const name of ['mail', 'address', 'offsite', 'passphrase'] as const) {
      expect(shown[name], name).toMatchObject({ source: 'environment', secretSetAt: null, isLost: false })
      const params = { name }
      expect(await refusal(site, removeSetting, { as: site.as, params })).toMatchObject({
        status: 409,
        code: 'set_by_environment',
      })
    }
    expect(JSON.stringify(shown)).not.toMatch(/secret"|from the environment/)
    expect(shown.address.value).toEqual({ url: 'https://own.example' })
    expect(await refusal(site, changeMail, { as: site.as, body: mail })).toMatchObject({ code: 'set_by_environment' })
    expect(site.config.mail).toEqual(set)
  })

  test('whose key is gone ask to be typed again, and the site goes on', async () => {
    const site = await openOwned()
    const { as } = site
    const { mail } = await startMailServer()
    const folder = await temporaryFolder()
    await site.ask(changeMail, { as, body: mail })
    await site.ask(changeOffsite, { as, body: { kind: 'folder', folder } })
    await site.ask(changePassphrase, { as, body: { passphrase: 'horse battery staple' } })
    const key = path.join(site.dataDir, 'secret.key')
    expect((await stat(key)).mode & 0o777).toBe(0o600)
    expect(await readdir(site.dataDir)).not.toContain('secret.key.new')
    const readable = await readFile(key)
    await writeFile(key, 'cut off')
    expect((await site.call(changePassphrase, { as, body: { passphrase: 'another passphrase' } })).statusCode).toBe(500)
    site.takeLoggedProblems()
    expect(await readFile(key, 'utf8')).toBe('cut off')
    await writeFile(key, readable)
    expect((await site.ask(readSettings, { as })).passphrase.isLost).toBe(false)
    await rm(key)
    const shown = await site.ask(readSettings, { as })
    expect([shown.mail.isLost, shown.passphrase.isLost, shown.offsite.isLost]).toEqual([true, true, false])
    expect(shown.mail).toMatchObject({ value: { host: mail.host }, secretSetAt: null })
    expect(await site.findings({ as })).toContain('settings_lost')
    const { filename } = await site.ask(createCompleteBackup, { as })
    expect(await refusal(site, downloadBackup, { as, params: { filename } })).toMatchObject({ code: 'passphrase_lost' })
    // Mail is off, and copies wait: they were to be encrypted.
    expect(site.config).toMatchObject({ mail: undefined, backupSecret: undefined, offsite: undefined })
    await site.ask(sendContact, { body: aContact() })
    expect(await site.ask(listContacts, { as })).toHaveLength(1)
    const { password: _, ...without } = mail
    expect(await refusal(site, changeMail, { as, body: without })).toMatchObject({
      code: 'invalid_input',
      details: { faults: [{ field: 'password', fault: 'missing' }] },
    })
    await site.ask(changeMail, { as, body: mail })
    await site.ask(changePassphrase, { as, body: { passphrase: 'horse battery staple' } })
    expect(site.config).toMatchObject({ mail: { server: { credentials: account } }, offsite: { folder } })
    expect(await site.findings({ as })).toContain('settings_accepted')
  })

  test('that are none are refused with a sentence for each field', async () => {
    const site = await openOwned()
    const { as } = site
    const { mail } = await startMailServer()
    const bucket = { kind: 'bucket', endpoint: '', region: 'x', bucket: 'b', prefix: '', pathStyle: false, accessKeyId: 'a' }
    const wrong = [
      [changeMail, { ...mail, host: 'smtp example' }, 'host', 'not_a_server'],
      [changeMail, { ...mail, host: '' }, 'host', 'missing'],
      [changeMail, { ...mail, port: 70_000 }, 'port', 'wrong'],
      [changeMail, { ...mail, from: 'Ana' }, 'from', 'not_an_email'],
      [changeMail, { ...mail, from: 'Ana\r\nBcc: x@example.com <ana@example.com>' }, 'from', 'wrong'],
      [changeMail, { ...mail, to: 'ana@example.com, luis' }, 'to', 'not_an_email'],
      [changeMail, { ...mail, auth: 'plain' }, '', 'unknown_fields'],
      [changeAddress, { url: 'models.example' }, 'url', 'not_a_site_address'],
      [changeAddress, { url: 'https://models.example/site' }, 'url', 'not_a_site_address'],
      [changeAddress, { url: 'https://ana:x@models.example' }, 'url', 'not_a_site_address'],
      [changeAddress, { url: 'javascript://models.example' }, 'url', 'not_a_site_address'],
      [changeTimeZone, { timeZone: 'Mexico/Nowhere' }, 'timeZone', 'not_a_time_zone'],
      [changeTimeZone, { timeZone: '' }, 'timeZone', 'missing'],
      [changeOffsite, { kind: 'folder', folder: 'backups' }, 'folder', 'not_a_folder'],
      [changeOffsite, { ...bucket, endpoint: 'ftp://example.com' }, 'endpoint', 'not_a_link'],
      [changeOffsite, bucket, 'secretAccessKey', 'missing'],
      [changePassphrase, { passphrase: 'too short' }, 'passphrase', 'too_short'],
    ] as const
    for (const [endpoint, body, field, fault] of wrong) {
      const { status, details } = await refusal(site, endpoint, { as, body })
      expect([status, details?.faults?.[0]], JSON.stringify(body)).toMatchObject([400, { field, fault }])
    }
    expect(await site.db.selectFrom('settings').selectAll().execute()).toEqual([])
  })
})

describe('the mail server', () => {
  test('is tried before it is saved, in its own words and ours', async () => {
    const site = await openOwned()
    const { as } = site
    const { smtp, mail } = await startMailServer()
    const tried = await site.ask(tryMail, { as, body: mail })
    expect(tried).toEqual({ to: 'ana@example.com, luis@example.com', answer: expect.stringMatching(/^250/) })
    expect(smtp.received.map(({ to, subject }) => [to, subject])).toEqual([
      ['ana@example.com', 'Vitrina: email works'],
      ['luis@example.com', 'Vitrina: email works'],
    ])
    expect((await site.ask(readSettings, { as })).mail.source).toBeNull()
    const said = async (change: object) => {
      const { status, code, details } = await refusal(site, tryMail, { as, body: { ...mail, ...change } })
      expect([status, code]).toEqual([422, 'mail_refused'])
      expect(JSON.stringify(details)).not.toContain('password of Ana')
      return [details.step, details.said]
    }
    expect(await said({ password: 'wrong' })).toEqual(['password', expect.stringContaining('535')])
    expect(await said({ host: 'no-such-host.invalid' })).toEqual(['host', expect.stringContaining('no-such-host.invalid')])
    expect(await said({ port: 1 })).toEqual(['connection', expect.stringContaining('ECONNREFUSED')])
    expect(await said({ secure: true })).toEqual(['connection', expect.stringContaining('SSL')])
    smtp.behave('refuse recipient')
    expect(await said({})).toEqual(['recipient', expect.stringContaining('550 5.1.1')])
    smtp.behave('refuse message')
    expect(await said({})).toEqual(['message', expect.stringContaining('554 5.7.1')])
    expect(site.takeLoggedProblems()).toEqual([])
  })

  test('must prove who it is, and may let nobody send by that name', async () => {
    const site = await openOwned()
    const { as } = site
    const { mail } = await startMailServer({ account, tls: 'from the start' })
    // By a name of this machine that is not known as one: at localhost no certificate is asked for.
    expect(await refusal(site, tryMail, { as, body: { ...mail, host: '127.1' } })).toMatchObject({
      details: { step: 'certificate', said: expect.stringContaining('certificate') },
    })
    const sender = await startMailServer({ account, refusesSender: true })
    expect(await refusal(site, tryMail, { as, body: sender.mail })).toMatchObject({
      details: { step: 'sender', said: expect.stringContaining('553') },
    })
  })

  test('keeps its password for the same user of the same server only', async () => {
    const site = await openOwned()
    const { as } = site
    const { smtp, mail } = await startMailServer()
    await site.ask(changeMail, { as, body: mail })
    const { password: _, ...without } = mail
    await site.ask(changeMail, { as, body: { ...without, to: 'eva@example.com' } })
    expect(await site.ask(sendTestMail, { as })).toMatchObject({ to: 'eva@example.com' })
    expect(smtp.received).toHaveLength(1)
    const elsewhere = { ...without, host: 'smtp.evil.example' }
    for (const endpoint of [changeMail, tryMail]) {
      expect(await refusal(site, endpoint, { as, body: elsewhere })).toMatchObject({ status: 400, code: 'invalid_input' })
    }
  })

  test('is a first step until a test mail went out', async () => {
    const site = await openOwned()
    const { as } = site
    const isDone = async () => (await site.ask(readFirstSteps, { as })).steps?.done.includes('mail')
    const { mail } = await startMailServer()
    await site.ask(changeMail, { as, body: mail })
    expect(await isDone()).toBe(false)
    await site.ask(sendTestMail, { as })
    expect(await isDone()).toBe(true)
    await site.ask(removeSetting, { as, params: { name: 'mail' } })
    expect(await isDone()).toBe(false)
    await site.ask(changeMail, { as, body: { ...mail, to: 'eva@example.com' } })
    expect(await isDone()).toBe(false)
    await site.ask(removeSetting, { as, params: { name: 'mail' } })
    expect(await refusal(site, sendTestMail, { as })).toMatchObject({ status: 409, code: 'mail_not_set_up' })
  })
})

describe('the address', () => {
  test('by https is set only where it is open, so that nobody is locked out, and keeps who set it signed in', async () => {
    const site = await openOwned()
    const { as } = site
    const body = { url: 'https://models.example' }
    const from = (origin: string, host: string) => ({ as, body, headers: { origin, host } })
    expect(await refusal(site, changeAddress, from('http://192.168.1.5', '192.168.1.5'))).toMatchObject({
      status: 409,
      code: 'address_not_open_here',
    })
    const answer = await site.call(changeAddress, from('https://models.example', 'models.example'))
    expect(answer.statusCode).toBe(200)
    const [ended, renewed] = answer.cookies
    expect(ended).toMatchObject({ name: 'session', value: '' })
    expect(renewed).toMatchObject({ name: '__Host-session', secure: true, value: as.cookie.replace('session=', '') })
    expect((await site.call(readSettings, { as })).statusCode).toBe(401)
    const renamed = { cookie: `__Host-${as.cookie}` }
    const home = await site.call({ path: '/', method: 'GET' } as never)
    expect(home.body).toContain('<link rel="canonical" href="https://models.example/"')
    const removed = await site.call(removeSetting, { as: renamed, params: { name: 'address' } })
    expect(cookiesFrom(removed)).toBe(`__Host-session=; ${as.cookie}`)
    expect((await site.call({ path: '/', method: 'GET' } as never)).body).not.toContain('https://models.example')
    const here = { as, headers: { origin: 'http://localhost:3000', host: 'localhost:3000' } }
    for (const url of ['https://localhost:3000', 'https://models.example']) {
      expect(await refusal(site, changeAddress, { ...here, body: { url } })).toMatchObject({ code: 'address_not_open_here' })
    }
    await site.ask(changeAddress, { ...here, body: { url: 'http://models.example' } })
    // Behind a proxy that passes another host on, only this address is known to be its own.
    const proxied = { as, headers: { origin: 'http://models.example', host: '10.0.0.2' } }
    expect(await refusal(site, changeAddress, { ...proxied, body: { url: 'http://other.example' } })).toMatchObject({
      status: 409,
    })
    expect(await refusal(site, removeSetting, { ...proxied, params: { name: 'address' } })).toMatchObject({ status: 409 })
  })

  test('of a demo stays on this machine', async () => {
    const site = await openTestApp('sqlite')
    const as = await site.signedIn({ username: 'admin', password: 'admin123', demo: true })
    const headers = { host: 'localhost' }
    expect(await refusal(site, changeAddress, { as, headers, body: { url: 'http://models.example' } })).toMatchObject({
      code: 'demo_only_here',
    })
  })
})

test('the time zone moves the nightly backup and the day on which commissions open', async () => {
  const site = await openOwned()
  const { as } = site
  await storeVersion(site.db, { 'maker.commissions.state': 'from', 'maker.commissions.from': '2026-05-02' })
  const opensLater = async () => (await site.call({ path: '/', method: 'GET' } as never)).body.includes('May 2, 2026')
  expect(await opensLater()).toBe(true)
  const before = (await site.ask(readBackupStatus, { as })).nightly.nextAt
  await site.ask(changeTimeZone, { as, body: { timeZone: 'Pacific/Kiritimati' } })
  // It is the second of May there.
  expect(await opensLater()).toBe(false)
  const status = await site.ask(readBackupStatus, { as })
  expect(status.timeZone).toBe('Pacific/Kiritimati')
  expect(status.nightly.nextAt).not.toBe(before)
})

/** So that a nightly backup is due by the clock of the test. */
async function beginBefore({ db }: TestApp) {
  await db.updateTable('site').set({ createdAt: '2026-01-01T00:00:00.000Z' }).execute()
}

/** Of the same account, which may write to others. */
async function aReadOnlyBucket() {
  const Bucket = `read-only-${randomUUID()}`
  const client = connect(await testBucket())
  const rule = { Effect: 'Deny', Principal: '*', Action: 's3:PutObject', Resource: `arn:aws:s3:::${Bucket}/*` }
  await client.send(new CreateBucketCommand({ Bucket }))
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [rule] })
  await client.send(new PutBucketPolicyCommand({ Bucket, Policy }))
  client.destroy()
  return Bucket
}

describe('the off-site copy', () => {
  test('goes to a folder that can be written to, and what was copied elsewhere is copied again', async () => {
    const site = await openOwned()
    const { as } = site
    await beginBefore(site)
    const now = site.clock.now().toISOString()
    const [old, gone] = ['abcd', 'efgh'].map((end) => `complete_backup_2026-04-30T09-00-00Z-${end}_nightly.zip`)
    await site.storage.put(storedBackup(old ?? ''), Buffer.from('a backup'))
    for (const filename of [old ?? '', gone ?? '']) {
      await recordChecked(site.db, { filename, sha256: createHash('sha256').update('a backup').digest('hex'), checkedAt: now })
      await recordCopied(site.db, filename, now)
    }
    const folder = path.join(await temporaryFolder(), 'copies')
    const refuse = async (target: string) =>
      await refusal(site, changeOffsite, { as, body: { kind: 'folder', folder: target } })
    expect(await refuse(folder)).toMatchObject({
      code: 'offsite_refused',
      details: { why: 'missing', said: expect.stringContaining('ENOENT') },
    })
    expect(await refuse(path.join(site.dataDir, 'files'))).toMatchObject({ status: 422, code: 'offsite_is_own' })
    await mkdir(folder)
    await writeFile(path.join(folder, 'a file'), '')
    expect(await refuse(path.join(folder, 'a file'))).toMatchObject({ details: { why: 'missing' } })
    expect(await refuse('/proc')).toMatchObject({ code: 'offsite_refused' })
    const answer = await site.ask(changeOffsite, { as, body: { kind: 'folder', folder } })
    expect(answer).toMatchObject({ offsite: { source: 'panel', value: { kind: 'folder', folder } }, onSameDisk: true })
    expect(await readdir(folder)).toEqual(['a file'])
    const known = () => site.db.selectFrom('knownBackups').select(['filename', 'copiedAt']).execute()
    expect(await known()).toEqual([{ filename: old, copiedAt: null }])
    await recordCopied(site.db, old ?? '', now)
    await site.ask(changeOffsite, { as, body: { kind: 'folder', folder } })
    expect(await known()).toEqual([{ filename: old, copiedAt: now }])
    await site.ask(removeSetting, { as, params: { name: 'offsite' } })
    await site.ask(changeOffsite, { as, body: { kind: 'folder', folder } })
    await runBackupJobs(site, { config: site.config })
    expect(await readdir(path.join(folder, 'backups'))).toContain(old)
  })

  test('goes to a bucket that can be written to, with the words of the service where it cannot', async () => {
    const site = await openOwned()
    const { as } = site
    const { bucket, endpoint = '', region, credentials, pathStyle, prefix } = await testBucket()
    const { accessKeyId, secretAccessKey } = credentials ?? { accessKeyId: '', secretAccessKey: '' }
    const body = { kind: 'bucket', bucket, endpoint, region, pathStyle, prefix, accessKeyId, secretAccessKey } as const
    const refuse = async (change: object) => {
      const { code, details } = await refusal(site, changeOffsite, { as, body: { ...body, ...change } })
      expect(code).toBe('offsite_refused')
      expect(JSON.stringify(details)).not.toContain(secretAccessKey)
      return details.why
    }
    expect(await refuse({ bucket: 'no-such-bucket-here' })).toBe('missing')
    expect(await refuse({ bucket: await aReadOnlyBucket() })).toBe('read_only')
    expect(await refuse({ secretAccessKey: 'wrong' })).toBe('keys')
    expect(await refuse({ accessKeyId: 'nobody' })).toBe('keys')
    expect(await refuse({ endpoint: 'http://127.0.0.1:1' })).toBe('unreachable')
    const answer = await site.ask(changeOffsite, { as, body })
    expect(answer.offsite).toMatchObject({
      source: 'panel',
      value: { bucket, accessKeyId },
      secretSetAt: '2026-05-01T12:00:00.000Z',
    })
    expect(JSON.stringify(answer)).not.toContain(secretAccessKey)
    expect(site.config.offsite).toMatchObject({ bucket: { credentials: { accessKeyId, secretAccessKey } } })
    const { secretAccessKey: _, ...without } = body
    await site.ask(changeOffsite, { as, body: { ...without, prefix: `${prefix}more` } })
    expect(await refusal(site, changeOffsite, { as, body: { ...without, endpoint: 'http://evil.example' } })).toMatchObject({
      status: 400,
    })
  })

  test('is encrypted with the passphrase from the moment it is set, and so are downloads', async () => {
    const site = await openOwned()
    const { as } = site
    const { filename } = await site.ask(createCompleteBackup, { as })
    await site.ask(changePassphrase, { as, body: { passphrase: 'horse battery staple' } })
    const download = await site.call(downloadBackup, { as, params: { filename } })
    expect(download.body.startsWith('age-encryption.org/v1\n')).toBe(true)
    const folder = await temporaryFolder()
    await site.ask(changeOffsite, { as, body: { kind: 'folder', folder } })
    await beginBefore(site)
    await runBackupJobs(site, { config: site.config })
    const [copy = ''] = await readdir(path.join(folder, 'backups'))
    expect(copy).toMatch(/\.zip\.age$/)
    expect((await readFile(path.join(folder, 'backups', copy), 'latin1')).startsWith('age-encryption.org')).toBe(true)
  })
})
