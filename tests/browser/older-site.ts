import { execFile } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { aPhoto } from '../photos.ts'

/**
 * An older site keeps its photos elsewhere: https://older-site.example, played by this server for all journeys. Answering in a
 * journey's place (`page.route`) would end the browser's cache: each further page would load and compile all its scripts anew.
 */
export async function startOlderSite() {
  const folder = await mkdtemp(path.join(tmpdir(), 'older-site-'))
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => path.join(folder, name)) as [string, string]
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  await promisify(execFile)('openssl', [...request, '-subj', '/CN=older-site.example', '-keyout', key, '-out', cert])
  const photo = await aPhoto()
  const server = createServer({ key: await readFile(key), cert: await readFile(cert) }, (_request, response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg', 'cache-control': 'max-age=3600' }).end(photo)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Leads a browser to it, whose certificate no authority has signed. */
export const toOlderSite = (port: string) => [
  `--host-resolver-rules=MAP older-site.example 127.0.0.1:${port}`,
  '--ignore-certificate-errors',
]
