import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { BucketAlreadyOwnedByYou, CreateBucketCommand } from '@aws-sdk/client-s3'
import { type BucketSettings, connect } from '#server/storage/s3.ts'
import { findCeph } from '../scripts/test-tools.ts'
import { freePorts } from './free-ports.ts'

export type S3Server = { endpoint: string; stop(): Promise<void> }

const { S3_TEST_ENDPOINT, S3_TEST_ACCESS_KEY_ID = 'test', S3_TEST_SECRET_ACCESS_KEY = 'testsecret' } = process.env
const account = { accessKeyId: S3_TEST_ACCESS_KEY_ID, secretAccessKey: S3_TEST_SECRET_ACCESS_KEY }

/** The server that S3_TEST_ENDPOINT names, or one of our own: Ceph, with its data in memory, for this machine only. */
export async function startS3(): Promise<S3Server> {
  if (S3_TEST_ENDPOINT) return { endpoint: S3_TEST_ENDPOINT, stop: async () => {} }
  const bin = findCeph()
  if (!bin) throw new Error('Ceph was not found. npm test finds or installs it, or says how; or set S3_TEST_ENDPOINT.')
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrina-s3-'))
  const [port, monitor, oldMonitor] = await freePorts(3)
  const monitors = `[v2:127.0.0.1:${monitor},v1:127.0.0.1:${oldMonitor}]`
  const cluster = randomUUID()
  const disk = randomUUID()
  const programs: ChildProcess[] = []
  let isStopping = false

  const run = async (program: string, ...args: string[]) => {
    const child = spawn(path.join(bin, program), args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    const said = Promise.all([text(child.stdout), text(child.stderr)])
    const timeout = setTimeout(() => child.kill('SIGKILL'), 60_000)
    const [code] = await once(child, 'close')
    clearTimeout(timeout)
    if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${(await said).join('\n')}`)
  }
  const keepRunning = (program: string, ...args: string[]) => {
    const options = ['-c', 'ceph.conf', ...args, '-f']
    const child = spawn(path.join(bin, program), options, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    const said = text(child.stderr)
    // Who asks it afterwards hears only that nobody is there.
    child.once('exit', async (code, signal) => {
      if (!isStopping) console.error(`${program} ended with ${signal ?? code}:\n${await said}`)
    })
    programs.push(child)
  }
  const endWithUs = () => {
    isStopping = true
    for (const child of programs) child.kill('SIGKILL')
  }
  process.once('exit', endWithUs)
  const stop = async () => {
    process.off('exit', endWithUs)
    const running = programs.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
    const ended = Promise.all(running.map((child) => once(child, 'exit')))
    endWithUs()
    await ended
    await rm(folder, { recursive: true, force: true })
  }

  try {
    for (const part of ['mon', 'osd', 'rgw']) await mkdir(path.join(folder, part))
    await writeFile(path.join(folder, 'ceph.conf'), settings(folder, cluster, monitors))
    const all = ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *']
    await run('ceph-authtool', '-C', 'keyring', '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *')
    for (const name of ['client.admin', 'client.rgw', 'osd.0']) {
      await run('ceph-authtool', 'keyring', '--gen-key', '-n', name, ...all)
    }
    await run('monmaptool', '--create', '--clobber', '--addv', 'a', monitors, '--fsid', cluster, 'monmap')
    await run('ceph-mon', '-c', 'ceph.conf', '--mkfs', '-i', 'a', '--monmap', 'monmap', '--keyring', 'keyring')
    keepRunning('ceph-mon', '-i', 'a')
    await run('ceph', '-c', 'ceph.conf', 'auth', 'import', '-i', 'keyring')
    await run('ceph', '-c', 'ceph.conf', 'osd', 'new', disk)
    await run('ceph-osd', '-c', 'ceph.conf', '-i', '0', '--mkfs', '--osd-uuid', disk)
    keepRunning('ceph-osd', '-i', '0')
    keepRunning('radosgw', '-n', 'client.rgw', '--rgw-frontends', `beast endpoint=127.0.0.1:${port}`)
    const endpoint = `http://127.0.0.1:${port}`
    await untilItAnswers(endpoint)
    const keys = [`--access-key=${account.accessKeyId}`, `--secret=${account.secretAccessKey}`]
    await run('radosgw-admin', '-c', 'ceph.conf', 'user', 'create', '--uid=test', '--display-name=test', ...keys)
    return { endpoint, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A prefix of its own in the tests' bucket, which is made when it is not there. */
export async function partOfBucket(endpoint: string): Promise<BucketSettings> {
  const settings = {
    bucket: 'vitrina-tests',
    endpoint,
    region: 'us-east-1',
    credentials: account,
    pathStyle: true,
    prefix: `${randomUUID()}/`,
    publicUrl: undefined,
  }
  const client = connect(settings)
  try {
    await client.send(new CreateBucketCommand({ Bucket: settings.bucket }))
  } catch (error) {
    // Ceph makes it again without a word, other services refuse to.
    if (!(error instanceof BucketAlreadyOwnedByYou)) throw error
  } finally {
    client.destroy()
  }
  return settings
}

/** The same as settings of a process. */
export function environmentOf({ bucket, endpoint = '', prefix }: BucketSettings) {
  const { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY } = account
  const named = { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_PREFIX: prefix, S3_PATH_STYLE: 'true' }
  return { ...named, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }
}

function settings(folder: string, cluster: string, monitors: string) {
  return `
[global]
fsid = ${cluster}
mon host = ${monitors}
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd crush chooseleaf type = 0
mon allow pool size one = true
paxos propose interval = 0.01
paxos min wait = 0.01
ms bind ipv4 = true
ms bind ipv6 = false
public addr = 127.0.0.1
cluster addr = 127.0.0.1
run dir = ${folder}
admin socket = ${folder}/$name.asok
log file = ${folder}/$name.log
keyring = ${folder}/keyring
[mon.a]
mon data = ${folder}/mon
[osd.0]
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 2147483648
[client.rgw]
rgw data = ${folder}/rgw
`
}

async function untilItAnswers(endpoint: string) {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const answer = await fetch(endpoint).catch(() => undefined)
    if (answer) return
    await pause(100)
  }
  throw new Error('The S3 server did not answer within a minute.')
}
