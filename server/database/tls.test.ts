import { spawnSync } from 'node:child_process'
import { chownSync, statSync } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePorts } from '#tests/free-ports.ts'
import { type Cluster, startPostgres } from '#tests/postgres.ts'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { openTestDatabase } from '#tests/test-database.ts'

let cluster: Cluster
let port: number
let authority: string

/** A certificate for `localhost`, and for no other name, by an authority nobody knows. */
function makeCertificates(folder: string) {
  const make = (...args: string[]) => {
    const common = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
    const { status, stderr } = spawnSync('openssl', [...common, ...args], { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
  }
  make('-subj', '/CN=An authority of the tests', '-keyout', 'ca.key', '-out', 'ca.pem')
  const forLocalhost = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  make('-CA', 'ca.pem', '-CAkey', 'ca.key', ...forLocalhost, '-keyout', 'server.key', '-out', 'server.crt')
  const { uid, gid } = statSync(folder)
  for (const name of ['ca.pem', 'server.key', 'server.crt']) chownSync(path.join(folder, name), uid, gid)
}

beforeAll(async () => {
  ;[port = 0] = await freePorts(1)
  cluster = await startPostgres({
    settings: async (data) => {
      makeCertificates(data)
      authority = path.join(data, 'ca.pem')
      return ['ssl=on', 'listen_addresses=127.0.0.1', `port=${port}`]
    },
  })
})
afterAll(() => cluster.stop())

async function open(host: string, settings: Record<string, string>) {
  const url = `postgres://vitrina@${host}:${port}/postgres?${new URLSearchParams(settings)}`
  return openTestDatabase('postgres', { place: { url, dataDir: await temporaryFolder() } })
}

describe('over TLS', () => {
  test.each([
    ['sslmode=require takes any certificate, as PostgreSQL’s own programs do', '127.0.0.1', { sslmode: 'require' }, false],
    [
      'sslmode=verify-full takes one by the authority named, for the name called',
      'localhost',
      { sslmode: 'verify-full' },
      true,
    ],
    ['sslmode=no-verify, which only pg knows, takes any', '127.0.0.1', { sslmode: 'no-verify' }, false],
    [
      'uselibpqcompat, which only pg knows, changes nothing',
      '127.0.0.1',
      { sslmode: 'require', uselibpqcompat: 'true' },
      false,
    ],
    ['sslmode=verify-ca takes one by the authority named, whatever the name', '127.0.0.1', { sslmode: 'verify-ca' }, true],
  ])('%s', async (_, host, settings, named) => {
    const database = await open(host, { ...settings, ...(named && { sslrootcert: authority }) })
    const { rows } = await sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(database.db)
    expect(rows).toEqual([{ ssl: true }])
    let dump = ''
    await database.dump(async (content) => {
      dump = await text(content)
    })
    expect(dump).toContain('PostgreSQL database dump complete')
  })

  test.each([
    ['of an authority nobody knows', 'localhost', false],
    ['for another name', '127.0.0.1', true],
  ])('sslmode=verify-full refuses a certificate %s', async (_, host, named) => {
    const opening = open(host, { sslmode: 'verify-full', ...(named && { sslrootcert: authority }) })
    await expect(opening).rejects.toThrow(/certificate|altnames/i)
  })

  test('a certificate that cannot be read is told at the start, and costs a running site nothing', async () => {
    const folder = await temporaryFolder()
    const sslrootcert = path.join(folder, 'authority.pem')
    await expect(open('localhost', { sslmode: 'verify-full', sslrootcert })).rejects.toThrow(
      /^Cannot start: the database could not be reached .*authority\.pem/,
    )
    await copyFile(authority, sslrootcert)
    const { db } = await open('localhost', { sslmode: 'verify-full', sslrootcert })
    await sql`select 1`.execute(db)
    await rm(sslrootcert)
    // Two at once: the second needs a connection of its own.
    await Promise.all([1, 2].map(() => sql`select pg_sleep(0.1)`.execute(db)))
  })

  test('without sslmode nothing is encrypted, and nothing pretends to be', async () => {
    const { db } = await open('127.0.0.1', {})
    const { rows } = await sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(db)
    expect(rows).toEqual([{ ssl: false }])
  })
})
