import { describe, expect, onTestFinished, test } from 'vitest'
import { sendContact } from '#contract/contacts.ts'
import { openDatabase } from '#server/database/open.ts'
import { post } from '../calls.ts'
import { aContact } from '../factories.ts'
import { environmentOf } from '../s3.ts'
import { mailSettingsFor, startSmtp } from '../smtp.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { databases, emptyDatabase, type Place } from '../test-database.ts'
import { testBucket } from '../test-storage.ts'
import { startSite } from './site.ts'

const polling = { timeout: 60_000, interval: 20 }

async function startMailServer() {
  const smtp = await startSmtp()
  onTestFinished(() => smtp.stop())
  /** How often each visitor was told of, and under how many ids. */
  const told = () => {
    const ids = new Map<string, string[]>()
    for (const { subject, messageId } of smtp.received) {
      const name = subject.replace('New message from ', '')
      ids.set(name, [...(ids.get(name) ?? []), messageId])
    }
    return Object.fromEntries([...ids].map(([name, all]) => [name, { mails: all.length, ids: new Set(all).size }]))
  }
  return { ...smtp, told, settings: mailSettingsFor(smtp) }
}

async function inquireAt(url: string, name: string) {
  const response = await post(url, sendContact.path, aContact({ name }))
  expect(response.status).toBe(200)
}

/** While the site is stopped: the time until the next attempts. */
async function letTimePass(place: Place) {
  const { db, close } = await openDatabase(place)
  await db
    .updateTable('outbox')
    .set(({ ref }) => ({ nextAttemptAt: ref('createdAt') }))
    .where('state', '=', 'waiting')
    .execute()
  await close()
}

const once = { mails: 1, ids: 1 }

describe.each(databases)('killed with mails in the outbox on %s', (dialect) => {
  test('at whatever step, the site sends each of them once when it is back', { timeout: 300_000 }, async () => {
    const smtp = await startMailServer()
    const place = await emptyDatabase(dialect)
    const address = place.url && { DATABASE_URL: place.url }
    const settings = { DATA_DIR: place.dataDir, RATE_LIMITS: 'off', ...address, ...smtp.settings }
    let site = await startSite(settings)
    const expected: ReturnType<typeof smtp.told> = {}
    for (const step of ['hang at greeting', 'hang at recipient', 'hang at message', 'hang at answer'] as const) {
      smtp.behave(step)
      await inquireAt(site.url, `${step}, under way`)
      await expect.poll(() => smtp.hung.at(-1), polling).toBe(step)
      await inquireAt(site.url, `${step}, stored only`)
      await site.kill()
      smtp.behave('accept')
      await letTimePass(place)
      site = await startSite(settings)
      // Nobody can know that the answer would have been yes.
      expected[`${step}, under way`] = step === 'hang at answer' ? { mails: 2, ids: 1 } : once
      expected[`${step}, stored only`] = once
      await expect.poll(smtp.told, polling).toEqual(expected)
    }
    await site.kill()
    await letTimePass(place)
    const last = await startSite(settings)
    await inquireAt(last.url, 'At last')
    await expect.poll(smtp.told, polling).toMatchObject({ 'At last': once })
    const { stderr, code } = await last.stop()
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    expect(Object.values(smtp.told()).filter(({ ids }) => ids !== 1)).toEqual([])
  })
})

test('a mail that a mail server keeps waiting does not keep the site from ending, and goes out with the next start', {
  timeout: 120_000,
}, async () => {
  const smtp = await startMailServer()
  const settings = { DATA_DIR: await temporaryFolder(), ...smtp.settings }
  const site = await startSite(settings)
  smtp.behave('hang at sender')
  await inquireAt(site.url, 'Ada')
  await expect.poll(() => smtp.hung.length, polling).toBe(1)
  const { stderr, code } = await site.stop()
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  smtp.behave('accept')
  await startSite(settings)
  await expect.poll(smtp.told, polling).toEqual({ Ada: once })
})

test('two processes and one outbox: of five hundred messages each is told of once', { timeout: 300_000 }, async () => {
  const smtp = await startMailServer()
  const { url = '' } = await emptyDatabase('postgres')
  const settings = {
    DATABASE_URL: url,
    DATA_DIR: await temporaryFolder(),
    ...environmentOf(await testBucket()),
    RATE_LIMITS: 'off',
    ...smtp.settings,
  }
  const sites = await Promise.all([startSite(settings), startSite(settings)])
  const visitors = Array.from({ length: 500 }, (_, number) => `Visitor ${number}`)
  const left = visitors.values()
  const write = async (at: string) => {
    for (const name of left) await inquireAt(at, name)
  }
  await Promise.all([...sites, ...sites, ...sites, ...sites].map((site) => write(site.url)))
  await expect.poll(() => smtp.received.length, polling).toBeGreaterThanOrEqual(500)
  for (const { code, stderr } of await Promise.all(sites.map((site) => site.stop()))) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  }
  expect(smtp.told()).toEqual(Object.fromEntries(visitors.map((name) => [name, once])))
})
