import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { describe, expect, test, vi } from 'vitest'
import { sendContact } from '#contract/contacts.ts'
import { checkHealth, checkReadiness } from '#contract/health.ts'
import { requestUpload } from '#contract/images.ts'
import { watchChanges } from '#contract/overview.ts'
import { listProjects } from '#contract/projects.ts'
import { openDatabase } from '#server/database/open.ts'
import { projectRoot } from '#server/own-program.ts'
import { allContacts } from '#tests/all-records.ts'
import { runBuilt } from '../built-site.ts'
import { post, signInAt } from '../calls.ts'
import { aContact } from '../factories.ts'
import { aPhoto } from '../photos.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { owner, ownerAccount, startSite } from './site.ts'

describe('starting', () => {
  test('for the first time tells the address, where the data lives and how to sign in', async () => {
    const dataDir = await temporaryFolder()
    const site = await startSite({ DATA_DIR: dataDir, ADMIN_USERNAME: '', ADMIN_PASSWORD: '' })
    const signIn = 'Sign in admin / admin123 (demo account, reachable from this machine only)\n'
    await expect.poll(() => site.output.stdout, { timeout: 30_000 }).toContain(signIn)
    const { stdout } = await site.stop()
    const port = new URL(site.url).port
    expect(stdout).toContain(`Site    http://localhost:${port}\n`)
    expect(stdout).toContain(`Admin   http://localhost:${port}/admin/login\n`)
    expect(stdout).toContain(`Data    ${dataDir}\n`)
  })

  test('with wrong settings prints every fault and touches nothing', async () => {
    const dataDir = path.join(await temporaryFolder(), 'data')
    const { ended } = runBuilt('main', { DATA_DIR: dataDir, PORT: 'x', DATABASE_URL: 'mysql://x', ADMIN_USERNAME: 'Ana' })
    const { code, stdout, stderr } = await ended
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr.trimEnd().split('\n')).toEqual([
      'Cannot start: 3 settings need attention.',
      expect.stringMatching(/^ {2}PORT /),
      expect.stringMatching(/^ {2}DATABASE_URL /),
      expect.stringMatching(/^ {2}ADMIN_PASSWORD /),
    ])
    expect(existsSync(dataDir)).toBe(false)
  })

  test('a second time on the same folder or port is refused while the first one runs, which is not disturbed, and is not once that was killed', async () => {
    const dataDir = await temporaryFolder()
    const first = await startSite({ DATA_DIR: dataDir })
    const { port } = new URL(first.url)
    const inItsFolder = await runBuilt('main', { DATA_DIR: dataDir, PORT: '0' }).ended
    expect([inItsFolder.code, inItsFolder.stderr]).toEqual([
      1,
      `Cannot start: another process is using ${dataDir}.\n` +
        'Stop it first, or give this one a folder of its own with DATA_DIR. Nothing was changed.\n',
    ])
    const onItsPort = await runBuilt('main', { ...owner, DATA_DIR: await temporaryFolder(), PORT: port }).ended
    expect([onItsPort.code, onItsPort.stderr]).toEqual([
      1,
      `Cannot start: something else is listening on 127.0.0.1:${port}. Set PORT to another number.\n`,
    ])
    expect((await fetch(new URL(listProjects.path, first.url))).status).toBe(200)
    await first.kill()
    const second = await startSite({ DATA_DIR: dataDir })
    expect((await fetch(new URL(listProjects.path, second.url))).status).toBe(200)
  })

  test('clears away what a killed process was writing, which a command in another container does not; METRICS_PORT serves metrics, and the port of visitors none', async () => {
    const dataDir = await temporaryFolder()
    for (const folder of ['unfinished', 'files/incoming']) {
      await mkdir(path.join(dataDir, folder), { recursive: true })
      await writeFile(path.join(dataDir, folder, 'half-a-file'), 'half')
    }
    const site = await startSite({ DATA_DIR: dataDir, METRICS_PORT: '0' })
    expect(await readdir(path.join(dataDir, 'unfinished'))).not.toContain('half-a-file')
    expect(await readdir(path.join(dataDir, 'files/incoming'))).not.toContain('half-a-file')
    const port = await vi.waitUntil(() => /"port":(\d+),"msg":"metrics are served"/.exec(site.output.stdout)?.[1], 30_000)
    expect((await fetch(new URL(listProjects.path, site.url))).status).toBe(200)
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    expect(text).toContain(`vitrina_request_seconds_count{method="GET",route="${listProjects.path}",status="200"} 1`)
    expect((await fetch(new URL('/metrics', site.url))).status).toBe(404)

    const cookie = await signInAt(site.url, ownerAccount)
    const requested = await fetch(new URL(requestUpload.path, site.url), { method: 'POST', headers: { cookie } })
    const { uploadURL } = (await requested.json()) as { uploadURL: string }
    const photo = await aPhoto()
    const sending = request(uploadURL, { method: 'PUT', headers: { cookie, 'content-length': photo.length } })
    sending.write(photo.subarray(0, 100))
    const incoming = path.join(dataDir, 'files/incoming')
    const [half = ''] = await vi.waitUntil(async () => {
      const names = await readdir(incoming)
      return names.length > 0 && names
    }, 30_000)
    // Process ids of its own, as in a container: that of the site is not among them.
    const program = path.join(projectRoot, 'dist/server/backup.js')
    const { stdout, stderr } = spawnSync('unshare', ['-pf', '--mount-proc', process.execPath, program, 'backup', 'list'], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir },
      encoding: 'utf8',
    })
    expect({ stdout, stderr }).toEqual({ stdout: expect.stringContaining('backup'), stderr: '' })
    expect(await readdir(incoming)).toContain(half)
    sending.end(photo.subarray(100))
    const [answer] = await once(sending, 'response')
    expect(answer.statusCode).toBe(200)
  })

  test('with a database that cannot be reached says so', async () => {
    const DATABASE_URL = 'postgres://nobody@127.0.0.1:1/nothing'
    const { code, stderr } = await runBuilt('main', { DATA_DIR: await temporaryFolder(), DATABASE_URL }).ended
    expect(code).toBe(1)
    expect(stderr).toBe(
      'Cannot start: the database could not be reached (connect ECONNREFUSED 127.0.0.1:1).\n' +
        'See that PostgreSQL runs and that DATABASE_URL is right. Nothing was changed.\n',
    )
  })
})

describe('being asked to stop', () => {
  /** A request the site has begun to read: its head has arrived and the first half of its body. */
  async function beginRequest(url: string) {
    const body = Buffer.from(JSON.stringify(aContact({ name: 'In flight' })))
    const sending = request(new URL(sendContact.path, url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
    })
    sending.flushHeaders()
    await once(sending, 'continue')
    sending.write(body.subarray(0, 10))
    return { sending, finish: () => sending.end(body.subarray(10)) }
  }

  async function untilItSaysSo(output: { stdout: string }) {
    await expect.poll(() => output.stdout, { timeout: 30_000 }).toContain('stopping: finishing what is under way')
  }

  test('finishes what is under way, waits for no open panel and no connection on which nothing was asked, then ends well', async () => {
    const dataDir = await temporaryFolder()
    const site = await startSite({ DATA_DIR: dataDir, STOP_SECONDS: '3600' })
    const { hostname, port } = new URL(site.url)
    const opened = connect(Number(port), hostname)
    opened.on('error', () => {})
    await once(opened, 'connect')
    const panel = await fetch(new URL(watchChanges.path, site.url), {
      headers: { cookie: await signInAt(site.url, ownerAccount) },
    })
    expect(panel.status).toBe(200)
    const { sending, finish } = await beginRequest(site.url)
    const answer = once(sending, 'response')
    site.signal('SIGTERM')
    await untilItSaysSo(site.output)
    finish()
    const [response] = await answer
    expect(response.statusCode).toBe(200)
    expect(await json(response)).toMatchObject({ message: 'Message sent!' })
    // Otherwise the process would wait for the browser to hang up.
    expect(response.headers.connection).toBe('close')
    expect(await panel.text()).toMatch(/^retry: \d+\n\n/)
    expect(await site.ended).toMatchObject({ code: 0, signal: null, stderr: '' })

    const { db, close } = await openDatabase({ dataDir })
    expect((await allContacts(db)).map(({ name }) => name)).toEqual(['In flight'])
    await close()
  })

  test('goes on serving for DRAIN_SECONDS, while load balancers are told to send nobody', async () => {
    const site = await startSite({ DATA_DIR: await temporaryFolder(), DRAIN_SECONDS: '600' })
    const statusOf = async (path: string) => (await fetch(new URL(path, site.url))).status
    expect(await statusOf(checkReadiness.path)).toBe(200)
    site.signal('SIGTERM')
    await expect.poll(() => statusOf(checkReadiness.path), { timeout: 30_000 }).toBe(503)
    expect(await statusOf(checkHealth.path)).toBe(200)
    expect(await statusOf(listProjects.path)).toBe(200)
    // A second signal ends the wait.
    site.signal('SIGTERM')
    expect(await site.ended).toMatchObject({ signal: 'SIGTERM' })
  })

  test('by SIGINT waits for what is under way as long as STOP_SECONDS, then says what was cut, and ends with 1', async () => {
    const site = await startSite({ DATA_DIR: await temporaryFolder(), STOP_SECONDS: '1' })
    const { sending } = await beginRequest(site.url)
    const failure = once(sending, 'error')
    site.signal('SIGINT')
    const { code, stdout } = await site.ended
    expect(code).toBe(1)
    expect(stdout).toContain(`"cut":["POST ${sendContact.path}"]`)
    await failure
  })
})

test('a data folder that belongs to another account is named with its cure', async () => {
  const folder = await temporaryFolder()
  const refusal = async () => {
    const { code, stderr } = await runBuilt('main', { DATA_DIR: folder, PORT: '0' }, [], { uid: 12_345, gid: 12_345 }).ended
    expect(code).toBe(1)
    return stderr
  }
  expect(await refusal()).toMatch(/^Cannot start: .*belongs to another account.*\(12345\).*chown -R/)
  await chmod(folder, 0o777)
  await (await openDatabase({ dataDir: folder })).close()
  expect(await refusal()).toMatch(/^Cannot start: .*vitrina\.sqlite belongs to another account/)
  for (const ending of ['', '-wal', '-shm']) await rm(path.join(folder, `vitrina.sqlite${ending}`), { force: true })
  await mkdir(path.join(folder, 'files'))
  await chmod(path.join(folder, 'files'), 0o777)
  for (const name of ['files/restores', 'files/incoming.lock']) {
    await (name.endsWith('.lock') ? writeFile(path.join(folder, name), '') : mkdir(path.join(folder, name), { mode: 0o700 }))
    expect(await refusal()).toContain(`${path.join(folder, name)} belongs to another account`)
    await rm(path.join(folder, name), { recursive: true })
  }
})

describe('a database file', () => {
  test('that is removed, replaced or damaged under a running site takes no more writes, and the site says so; a damaged one is not started on', async () => {
    const dataDir = await temporaryFolder()
    const site = await startSite({ DATA_DIR: dataDir })
    const file = path.join(dataDir, 'vitrina.sqlite')
    const send = async () => {
      const answer = await post(site.url, sendContact.path, aContact({ message: randomUUID() }))
      return [answer.status, ((await answer.json()) as { code?: string }).code]
    }
    const health = async () => (await fetch(new URL(checkHealth.path, site.url))).status
    expect([await send(), await health()]).toEqual([[200, undefined], 200])

    await rename(file, `${file}.away`)
    expect([await send(), await health()]).toEqual([[503, 'database_replaced'], 503])
    await copyFile(`${file}.away`, file)
    expect([await send(), await health()]).toEqual([[503, 'database_replaced'], 503])
    await rename(`${file}.away`, file)
    expect([await send(), await health()]).toEqual([[200, undefined], 200])

    const { size } = await stat(file)
    const handle = await open(file, 'r+')
    await handle.write(Buffer.alloc(size - 4096, 'damage'), 0, size - 4096, 4096)
    await handle.close()
    expect(await health()).toBe(503)
    await site.kill()
    const { code, stderr } = await runBuilt('main', { DATA_DIR: dataDir, PORT: '0' }).ended
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Cannot start: The database .*vitrina\.sqlite is damaged: /)
    expect(stderr).not.toContain('    at ')
  })
})
