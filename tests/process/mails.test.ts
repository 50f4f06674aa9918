import { expect, onTestFinished, test } from 'vitest'
import { sendContact } from '#contract/contacts.ts'
import { requestPasswordLink, resetPassword } from '#contract/recovery.ts'
import { openDatabase } from '#server/database/open.ts'
import type { BuiltSite } from '../built-site.ts'
import { post } from '../calls.ts'
import { aContact } from '../factories.ts'
import { rounds } from '../random.ts'
import { environmentOf } from '../s3.ts'
import { type Behaviour, mailSettingsFor, startSmtp } from '../smtp.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { emptyDatabase, type Place } from '../test-database.ts'
import { testBucket } from '../test-storage.ts'
import { ownerAccount, settingsOf, startSite } from './site.ts'

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

async function giveAddress(place: Place) {
  const { db, close } = await openDatabase({ ...place, asGuest: true })
  await db.updateTable('adminUsers').set({ email: 'maker@vitrina.example' }).execute()
  await close()
}

const requestLink = (url: string) => post(url, requestPasswordLink.path, { account: ownerAccount.username })

/** With the link of the last mail; the status of the answer. */
async function resetAt(url: string, smtp: MailServer) {
  const token = /reset=(\S+)/.exec(smtp.received.at(-1)?.text ?? '')?.[1]
  return (await post(url, resetPassword.path, { token, newPassword: 'pear wood' })).status
}

const link = 'Vitrina: set a new password'
const once = { mails: 1, ids: 1 }

type MailServer = Awaited<ReturnType<typeof startMailServer>>

/** Kills the site while a mail hangs at that step and another one waits behind it; answers what is to be told after the next start. */
async function killAt(step: Behaviour, { site, place, smtp }: { site: BuiltSite; place: Place; smtp: MailServer }) {
  smtp.behave(step)
  await inquireAt(site.url, `${step}, under way`)
  await expect.poll(() => smtp.hung.at(-1), polling).toBe(step)
  await inquireAt(site.url, `${step}, stored only`)
  await site.kill()
  smtp.behave('accept')
  await letTimePass(place)
  // Nobody can know that the answer would have been yes.
  const underWay = step === 'hang at answer' ? { mails: 2, ids: 1 } : once
  return { [`${step}, under way`]: underWay, [`${step}, stored only`]: once }
}

test('killed at whatever step of a mail, the site sends each of them once when it is back; one that is stopped ends though the mail server does not answer', async () => {
  // A stop waits for the mail for 8 seconds, and the kills happen meanwhile.
  const silent = await startMailServer()
  const stopped = { DATA_DIR: await temporaryFolder(), ...silent.settings }
  const stopping = await startSite(stopped)
  silent.behave('hang at sender')
  await inquireAt(stopping.url, 'Ada')
  await expect.poll(() => silent.hung.length, polling).toBe(1)
  const ending = stopping.stop()

  const smtp = await startMailServer()
  const place = await emptyDatabase('sqlite')
  const settings = { DATA_DIR: place.dataDir, RATE_LIMITS: 'off', PUBLIC_URL: 'http://localhost', ...smtp.settings }
  let site = await startSite(settings)
  const expected: ReturnType<typeof smtp.told> = {}
  for (const step of ['hang at greeting', 'hang at recipient', 'hang at message', 'hang at answer'] as const) {
    Object.assign(expected, await killAt(step, { site, place, smtp }))
    site = await startSite(settings)
    await expect.poll(smtp.told, polling).toEqual(expected)
  }

  // A link for a new password is stored with its mail.
  await giveAddress(place)
  smtp.behave('hang at greeting')
  const hangs = smtp.hung.length
  expect((await requestLink(site.url)).status).toBe(200)
  await expect.poll(() => smtp.hung.length, polling).toBe(hangs + 1)
  await site.kill()
  smtp.behave('accept')
  await letTimePass(place)
  site = await startSite(settings)
  await expect.poll(smtp.told, polling).toEqual({ ...expected, [link]: once })
  expect(await resetAt(site.url, smtp)).toBe(200)
  expect(await site.stop()).toMatchObject({ code: 0, stderr: '' })

  expect(await ending).toMatchObject({ code: 0, stderr: '' })
  silent.behave('accept')
  await startSite(stopped)
  await expect.poll(silent.told, polling).toEqual({ Ada: once })
})

const messages = rounds(60)

test(`two processes and one outbox: of ${messages} messages each is told of once, and so are those of a process that was killed`, {
  timeout: 120_000 + messages * 1_000,
}, async () => {
  const smtp = await startMailServer()
  const place = await emptyDatabase('postgres')
  const settings = {
    ...settingsOf(place),
    ...environmentOf(await testBucket()),
    RATE_LIMITS: 'off',
    PUBLIC_URL: 'http://localhost',
    ...smtp.settings,
  }
  const sites = await Promise.all([startSite(settings), startSite(settings)])
  const visitors = Array.from({ length: messages }, (_, number) => `Visitor ${number}`)
  const left = visitors.values()
  const write = async (at: string) => {
    for (const name of left) await inquireAt(at, name)
  }
  await Promise.all([...sites, ...sites, ...sites, ...sites].map((site) => write(site.url)))
  const expected = Object.fromEntries(visitors.map((name) => [name, once]))
  await expect.poll(() => smtp.received.length, polling).toBeGreaterThanOrEqual(messages)

  // A link for a new password is used once, in whichever process.
  const [one, other] = sites
  await giveAddress(place)
  await requestLink(one.url)
  await expect.poll(() => smtp.told()[link], polling).toEqual(once)
  Object.assign(expected, { [link]: once })
  const answers = await Promise.all(sites.map(({ url }) => resetAt(url, smtp)))
  expect(answers.toSorted()).toEqual([200, 410])
  expect(await other.stop()).toMatchObject({ code: 0, stderr: '' })
  Object.assign(expected, await killAt('hang at answer', { site: one, place, smtp }))
  const again = await startSite(settings)
  await expect.poll(smtp.told, polling).toEqual(expected)
  expect(await again.stop()).toMatchObject({ code: 0, stderr: '' })
  expect(smtp.told()).toEqual(expected)
})
