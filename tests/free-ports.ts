import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * For a program that must be told its ports. They are below those that the system hands out: until the program has started,
 * another one that asks for any port would be given one of them.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports = Array.from({ length: count }, () => randomInt(10_000, 30_000))
  const servers = ports.map((port) => createServer().listen(port, '127.0.0.1'))
  const heard = await Promise.allSettled(servers.map((server) => once(server, 'listening')))
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return heard.every(({ status }) => status === 'fulfilled') ? ports : freePorts(count)
}
