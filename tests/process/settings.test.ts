import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { scheduler } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { changeMail, changePassphrase, readSettings, type Settings } from '#contract/settings.ts'
import { signInAt } from '../calls.ts'
import { startPostgres } from '../postgres.ts'
import { newSeed, rounds, seededRandom } from '../random.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { emptyDatabase } from '../test-database.ts'
import { ownerAccount, settingsOf, startSite } from './site.ts'

const mail = { host: 'smtp.example.com', port: 465, secure: true, user: 'ana', from: 'ana@example.com', to: 'ana@example.com' }

type Call = { method: string; path: string }

async function sender(url: string) {
  const cookie = await signInAt(url, ownerAccount)
  return async (call: Call, body?: object) => {
    const headers = { cookie, ...(body && { 'content-type': 'application/json' }) }
    return fetch(new URL(call.path, url), { method: call.method, headers, ...(body && { body: JSON.stringify(body) }) })
  }
}

test('a site that is killed while settings are saved has the old or the new ones, and can read their passwords', async () => {
  const seed = newSeed()
  const random = seededRandom(seed)
  const place = await emptyDatabase('sqlite')
  const env = { ...settingsOf(place), RATE_LIMITS: 'off' }
  let answered = 0
  for (let round = 0; round < rounds(3); round += 1) {
    const site = await startSite(env)
    const send = await sender(site.url)
    const shown = (await (await send(readSettings)).json()) as Settings
    expect([shown.mail.isLost, shown.passphrase.isLost], `TEST_SEED=${seed}`).toEqual([false, false])
    const saved = Number(/^host-(\d+)/.exec(shown.mail.value?.host ?? 'host-0')?.[1] ?? 0)
    // One that was on its way may have been stored before its answer.
    expect([answered, answered + 1], `TEST_SEED=${seed}`).toContain(saved)
    answered = saved
    const killed = scheduler.wait(20 + random() * 250).then(site.kill)
    for (let isOn = true; isOn; ) {
      const next = answered + 1
      const body = { ...mail, host: `host-${next}.example`, password: `the secret ${next}` }
      const passphrase = `the passphrase ${next}`
      isOn = await send(changeMail, body).then(
        ({ ok }) => ok,
        () => false,
      )
      if (isOn) answered = next
      isOn &&= await send(changePassphrase, { passphrase }).then(
        ({ ok }) => ok,
        () => false,
      )
    }
    await killed
    // Neither in the log nor in a file of the data folder.
    const files = (await readdir(place.dataDir, { recursive: true, withFileTypes: true })).filter((file) => file.isFile())
    const contents = await Promise.all(files.map((file) => readFile(path.join(file.parentPath, file.name), 'latin1')))
    expect([site.output.stdout, ...contents].filter((text) => /the (secret|passphrase) \d/.test(text))).toEqual([])
  }
  expect(answered).toBeGreaterThan(0)
})

test('two processes share what is set when the environment has the key, and a start without it says so', async () => {
  const cluster = await startPostgres()
  onTestFinished(() => cluster.stop())
  const keyFile = path.join(await temporaryFolder(), 'key')
  await writeFile(keyFile, `${'0123456789abcdef'.repeat(3)}\n`)
  const env = async () => ({ DATA_DIR: await temporaryFolder(), DATABASE_URL: cluster.urlOf('postgres'), RATE_LIMITS: 'off' })
  const one = await startSite({ ...(await env()), SECRET_KEY_FILE: keyFile, HOST: '127.0.0.1' })
  const lacking = await startSite(await env())
  expect(lacking.output.stdout).toContain('SECRET_KEY_FILE')
  expect(one.output.stdout).not.toContain('SECRET_KEY_FILE')
  const [send, ask] = [await sender(one.url), await sender(lacking.url)]
  expect((await send(changeMail, { ...mail, password: 'the secret' })).status).toBe(200)
  const shown = async () => ((await (await ask(readSettings)).json()) as Settings).mail
  // It goes on without what it cannot read.
  await expect.poll(shown, { timeout: 5_000 }).toMatchObject({ value: mail, isLost: true })
  expect((await fetch(new URL('/healthz', lacking.url))).status).toBe(200)
  await Promise.all([one.stop(), lacking.stop()])
})
