import type { MailAddress } from '#contract/mails.ts'
import type { MailMessage } from '#server/database/tables.ts'
import { protectionOf, type SmtpServer } from './mail-config.rules.ts'

/** A mail as it goes out. */
type OutgoingMail = MailMessage & {
  from: MailAddress
  messageId: string
  date: Date
  /** Not written by a person: no absence note answers it. */
  isAutomatic: boolean
}

export type Transport = {
  /** Answers what the server said when it took the mail. Fails with what went wrong, or with the signal's reason. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<string>
  /** Ends the connection; the next mail opens another. */
  hangUp(): void
}

export function messageIdOf(id: string, { address }: MailAddress) {
  return `<${id}@${address.split('@').at(-1)}>`
}

/** Servers end a connection after a hundred or so. */
const mostPerConnection = 50

/** Sends over one connection as long as that works: a new one takes a tenth of a second and more. */
export function createTransport(server: SmtpServer): Transport {
  let connection: Connection | undefined
  let sent = 0

  const close = () => {
    connection?.close()
    connection = undefined
  }

  async function deliver(mail: OutgoingMail, signal: AbortSignal) {
    const nodemailer = await loadNodemailer()
    const content = await compose(nodemailer, mail)
    if (connection?.destroyed || sent >= mostPerConnection) close()
    if (!connection) {
      const opening = new nodemailer.SMTPConnection(optionsFor(server))
      // Else an error between two mails would end the process.
      opening.on('error', () => {})
      signal.throwIfAborted()
      connection = opening
      sent = 0
      await step(opening, (done) => opening.connect(done))
      const { credentials } = server
      if (credentials && opening.allowsAuth) await step(opening, (done) => opening.login({ credentials }, done))
    }
    const open = connection
    let answer = ''
    await step(open, (done) =>
      open.send({ from: mail.from.address, to: [mail.to] }, content, (error, info) => {
        answer = info?.response ?? ''
        done(error)
      }),
    )
    sent += 1
    return answer
  }

  return {
    send: (mail, signal) =>
      new Promise((resolve, reject) => {
        const abort = () => {
          close()
          reject(signal.reason)
        }
        signal.addEventListener('abort', abort, { once: true })
        deliver(mail, signal)
          .then(resolve, (error: unknown) => {
            if (!signal.aborted) close()
            reject(withoutPassword(error, server))
          })
          .finally(() => signal.removeEventListener('abort', abort))
      }),
    hangUp() {
      connection?.quit()
      connection = undefined
    },
  }
}

type Nodemailer = Awaited<ReturnType<typeof loadNodemailer>>
type Connection = InstanceType<Nodemailer['SMTPConnection']>

/** Loading it takes a tenth of a second, a quarter of a start: only where mails are sent, and not before the site answers. */
export async function loadNodemailer() {
  const [{ default: SMTPConnection }, { default: MailComposer }] = await Promise.all([
    import('nodemailer/lib/smtp-connection'),
    import('nodemailer/lib/mail-composer'),
  ])
  return { SMTPConnection, MailComposer }
}

/** Their errors say what took too long; the signal covers the rest. */
const timeouts = { dnsTimeout: 10_000, connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 30_000 }

function optionsFor(server: SmtpServer) {
  const { host, port, secure } = server
  return { host, port, secure, ...protectionOf(server), ...timeouts }
}

/** One step of the conversation. What fails outside of it, such as a lost line, ends it too. */
function step(connection: Connection, begin: (done: (error?: Error | null) => void) => void) {
  return new Promise<void>((resolve, reject) => {
    connection.once('error', reject)
    begin((error) => {
      connection.off('error', reject)
      if (error) reject(error)
      else resolve()
    })
  })
}

function compose(
  { MailComposer }: Nodemailer,
  { to, replyTo, subject, text, from, messageId, date, isAutomatic }: OutgoingMail,
) {
  const mail = new MailComposer({
    from,
    // As an object: a text would be taken for a list of addresses.
    to: { name: '', address: to },
    ...(replyTo && { replyTo }),
    subject,
    text,
    messageId,
    date,
    ...(isAutomatic && { headers: { 'Auto-Submitted': 'auto-generated' } }),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return mail.compile().build()
}

/** A server may repeat the password in its answer. */
function withoutPassword(error: unknown, { credentials }: SmtpServer) {
  if (!(error instanceof Error) || !credentials) return error
  const secrets = [credentials.pass, `\0${credentials.user}\0${credentials.pass}`].flatMap((secret) => [
    secret,
    Buffer.from(secret).toString('base64'),
  ])
  const hide = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
  const failure = error as Error & { response?: string }
  failure.message = hide(failure.message)
  if (failure.response) failure.response = hide(failure.response)
  return failure
}
