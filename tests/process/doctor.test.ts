import { readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkNames, type SiteCheck } from '#contract/checks.ts'
import { openDatabase } from '#server/database/open.ts'
import { imageName } from '#server/features/images/image.rules.ts'
import { fill } from '../backups.ts'
import { runBuilt } from '../built-site.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { databases, emptyDatabase, type Place } from '../test-database.ts'
import { settingsOf, startSite, within } from './site.ts'

type Told = { level: string; checks: (SiteCheck & { says: string })[] }

async function doctor(settings: Record<string, string>, ...args: string[]) {
  const { code, stdout, stderr } = await runBuilt('doctor', settings, args).ended
  return { code, stdout, stderr }
}

/** By its JSON: what each check has found. */
async function look(settings: Record<string, string>) {
  const { code, stdout, stderr } = await doctor(settings, '--json')
  const { level, checks } = JSON.parse(stdout) as Told
  return { code, stderr, level, checks, findings: checks.map(({ finding }) => finding) }
}

/** Only what the machine may have too little of, and the release of Node that runs the tests. */
const ofMachine = ['disk', 'version']

/** Makes everything green that can be from outside. */
async function makeGreen(place: Place) {
  await within(place, async ({ db }) => {
    await db.updateTable('site').set({ opened: true, backupTakenAt: new Date().toISOString() }).execute()
    await db.updateTable('adminUsers').set({ email: 'alvaro@example.com' }).execute()
  })
}

const mail = { SMTP_URL: 'smtp://localhost:25', MAIL_FROM: 'site@example.com', MAIL_TO: 'maker@example.com' }

describe.each(databases)('the doctor on %s', (dialect) => {
  test('finds a site green while it runs and when it is stopped, and amber what is not set up', async () => {
    const place = await emptyDatabase(dialect)
    const settings = { ...settingsOf(place), PUBLIC_URL: 'https://models.example' }
    const site = await startSite({ ...settings, ...mail })
    await makeGreen(place)
    const made = await runBuilt('backup', settings, ['backup', '--keep']).ended
    expect(made).toMatchObject({ code: 0 })
    const green = await look({ ...settings, ...mail })
    expect(green.stderr).toBe('')
    expect(green.checks.map(({ check }) => check)).toEqual(checkNames)
    const notGreen = green.checks.filter(({ check, level }) => level !== 'green' && !ofMachine.includes(check))
    expect(notGreen).toEqual([])
    expect(green.code).toBe(['green', 'amber', 'red'].indexOf(green.level))

    await site.stop()
    const stopped = await look(settings)
    expect(stopped.findings).toContain('mail_off')
    expect(stopped.checks.find(({ finding }) => finding === 'mail_off')).toMatchObject({
      level: 'amber',
      says: 'No email is sent: you learn of new messages only here.',
    })
    expect(stopped.code).toBe(1)
  })

  test('says in one line that there is no site, and makes none', async () => {
    const place = await emptyDatabase(dialect)
    const { code, stdout, stderr } = await doctor(settingsOf(place))
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' })
    expect(stdout).toMatch(/^X +Database +There is no site in .*\. Nothing was changed\.$/m)
    expect(stdout).not.toMatch(/^ +at /m)
    expect(await readdir(place.dataDir)).toEqual([])
  })
})

describe('the doctor', () => {
  test('tells damage in the database and lost photos in red, with what to do', async () => {
    const place = { dataDir: await temporaryFolder() }
    await (await openDatabase(place)).close()
    const { photos } = await within(place, fill)
    await rm(path.join(place.dataDir, 'files', imageName(photos[0]?.hash ?? '')))
    const lost = await doctor(settingsOf(place))
    expect(lost).toMatchObject({ code: 2, stderr: '' })
    expect(lost.stdout).toMatch(/^X +Photos +The files of photos are lost: 1 missing\.\n +Press “Create Complete Backup”/m)
    expect(lost.stdout).toMatch(/\n\d+ things need attention\.\n$/)

    await writeFile(path.join(place.dataDir, 'vitrina.sqlite'), 'not a database')
    const damaged = await look(settingsOf(place))
    expect(damaged).toMatchObject({ code: 2, stderr: '', level: 'red' })
    expect(damaged.findings).toContain('database_damaged')
    expect(damaged.findings).toContain('address_local')
  })

  test('tells a wrong setting and a database that is away as what they are', async () => {
    const wrong = await look({ PORT: 'many' })
    expect(wrong).toMatchObject({ code: 2, findings: ['settings_refused'] })
    expect(wrong.checks[0]?.says).toContain('must be a port number')
    const away = await look({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nothing', DATA_DIR: await temporaryFolder() })
    expect(away).toMatchObject({ code: 2, stderr: '' })
    expect(away.findings).toContain('database_unusable')
  })

  test('explains itself', async () => {
    const { code, stdout, stderr } = await doctor({}, 'all')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('npm run doctor -- --json')
  })
})
