import { type AddressInfo, connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** The site on a port of its own, for what no HTTP library would send. */
export async function listenForRaw(app: FastifyInstance) {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo

  /** Sends these bytes, one character each, and hands back all that comes until the connection ends. */
  function sendRaw(text: string) {
    return new Promise<string>((resolve) => {
      let received = ''
      const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'))
      socket.setEncoding('latin1').on('data', (piece) => {
        received += piece
      })
      // The site may end the connection while we are still sending.
      socket.on('error', () => {}).on('close', () => resolve(received))
    })
  }

  /** Sends these bytes and goes away once they have become a request, or the answer begins; the site has noticed by then. */
  async function sendAndLeave(text: string, when: 'asked' | 'answered' = 'asked') {
    const noticed = new Promise<void>((resolve) => {
      app.server.once('connection', (arrived: Socket) => arrived.once('close', () => resolve()))
    })
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'))
    socket.on('error', () => {})
    if (when === 'asked') app.server.once('request', () => socket.resume().destroy())
    else socket.once('data', () => socket.destroy())
    await noticed
  }

  return { sendRaw, sendAndLeave }
}
