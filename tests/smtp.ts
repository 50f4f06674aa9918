import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** What can become of a mail, and where a server can stop answering. */
export type Behaviour =
  | 'accept'
  | 'refuse recipient'
  | 'refuse message'
  | 'defer'
  | 'hang at greeting'
  | 'hang at sender'
  | 'hang at recipient'
  | 'hang at message'
  /** The message was taken. */
  | 'hang at answer'
  /** The line is dropped before the end of the message, or after it and before the answer. */
  | 'drop the line'
  | 'lose the answer'

type ReceivedMail = ReturnType<typeof readMail> & { envelope: { from: string; to: string[] }; isEncrypted: boolean }

type Options = {
  port?: number
  /** TLS from the first byte, or by STARTTLS; without either there is none. The certificate is signed by nobody. */
  tls?: 'from the start' | 'offered'
  account?: { user: string; pass: string }
  /** Lets nobody send by the name they give. */
  refusesSender?: boolean
}

/** Settings by which a site sends its mails through that server. */
export function mailSettingsFor({ url }: { url: string }) {
  return { SMTP_URL: url, MAIL_FROM: 'Vitrina <site@vitrina.example>', MAIL_TO: 'maker@vitrina.example' }
}

const answer = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

/** A mail server that takes every mail, unless it is told otherwise. */
export async function startSmtp({ port = 0, tls, account, refusesSender }: Options = {}) {
  /** What was taken, in the order in which it came. */
  const received: ReceivedMail[] = []
  /** The steps at which it has stopped answering so far. */
  const hung: Behaviour[] = []
  let behaviour: Behaviour = 'accept'
  let connections = 0

  const hangsAt = (step: Behaviour) => {
    if (behaviour !== step) return false
    hung.push(step)
    return true
  }
  const cut = (id: string) => {
    for (const { session, _socket } of server.connections) if (session.id === id) _socket.destroy()
  }

  const server = new SMTPServer({
    secure: tls === 'from the start',
    disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(account ? [] : ['AUTH'])],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    onConnect(_session, done) {
      connections += 1
      if (!hangsAt('hang at greeting')) done()
    },
    onAuth({ username, password }, _session, done) {
      if (username === account?.user && password === account?.pass) return done(null, { user: username })
      done(answer(535, `5.7.8 Username and password not accepted: ${username} ${password}`))
    },
    onMailFrom(_address, _session, done) {
      if (refusesSender) return done(answer(553, '5.7.1 Sender address rejected: not owned by user'))
      if (!hangsAt('hang at sender')) done()
    },
    onRcptTo({ address }, _session, done) {
      if (hangsAt('hang at recipient')) return
      if (behaviour === 'refuse recipient') return done(answer(550, `5.1.1 <${address}>: no such mailbox here`))
      if (behaviour === 'defer') return done(answer(451, '4.7.1 Greylisted, please come back later'))
      done()
    },
    async onData(stream, { id, envelope, secure }, done) {
      if (behaviour === 'drop the line') {
        stream.once('data', () => cut(id))
        return
      }
      const mail = readMail(await text(stream))
      if (hangsAt('hang at message')) return
      if (behaviour === 'refuse message') return done(answer(554, '5.7.1 Message content rejected'))
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      const to = envelope.rcptTo.map(({ address }) => address)
      received.push({ ...mail, envelope: { from, to }, isEncrypted: secure })
      if (hangsAt('hang at answer')) return
      if (behaviour === 'lose the answer') return cut(id)
      done()
    },
  })
  // A line that the other side has dropped.
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const address = `127.0.0.1:${(server.server.address() as AddressInfo).port}`
  const user = account ? `${account.user}:${account.pass}@` : ''

  return {
    url: `${tls === 'from the start' ? 'smtps' : 'smtp'}://${user}${address}`,
    received,
    hung,
    connections: () => connections,
    behave(next: Behaviour) {
      behaviour = next
    },
    stop() {
      server.close()
      for (const { _socket } of server.connections) _socket.destroy()
    },
  }
}

/** As a mail program shows it. */
function readMail(raw: string) {
  const [head = '', body = ''] = raw.split(/\r\n\r\n([\s\S]*)/)
  const headers = new Map(
    head
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => {
        const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? []
        return [name.toLowerCase(), decodeWords(value)] as const
      }),
  )
  const header = (name: string) => headers.get(name) ?? ''
  return {
    headers,
    messageId: header('message-id'),
    to: header('to'),
    subject: header('subject'),
    text: decodeBody(body, header('content-transfer-encoding')).replaceAll('\r\n', '\n'),
  }
}

function decodeBody(body: string, encoding: string) {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  return encoding === 'quoted-printable' ? decodeQuoted(body.replaceAll('=\r\n', '')) : body
}

/** `=?UTF-8?Q?In=C3=A9s?=` */
function decodeWords(value: string) {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?(.*?)\?=/gi, (_, encoding: string, word: string) =>
      /q/i.test(encoding) ? decodeQuoted(word.replaceAll('_', ' ')) : Buffer.from(word, 'base64').toString(),
    )
}

function decodeQuoted(quoted: string) {
  const bytes = quoted.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
