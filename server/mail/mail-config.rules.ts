import { isLoopbackHost } from '#server/http/own-address.ts'

/** Where mails are handed over. */
export type SmtpServer = {
  host: string
  port: number
  /** TLS from the first byte on; otherwise by STARTTLS. */
  secure: boolean
  credentials: { user: string; pass: string } | undefined
}

const example = 'smtps://user:password@smtp.example.com:465'

/** The server that a setting names, or why it names none. */
export function readSmtpUrl(text: string): SmtpServer | { fault: string } {
  if (!/^smtps?:\/\//i.test(text)) return { fault: `must begin with smtp:// or smtps://, such as ${example}` }
  const parts = partsOf(text)
  // A "#" or a "/" in a password ends what a URL takes for the host.
  if (!parts) {
    return {
      fault: `cannot be read. It must look like ${example}, with %40 for @, %23 for #, %2F for /, %3A for :, %3F for ? and %25 for % in the user and the password`,
    }
  }
  const { host, port, secure, user, pass } = parts
  if ((user === '') !== (pass === '')) {
    return { fault: `has ${user ? 'a user and no password' : 'a password and no user'}. Give both, or neither` }
  }
  if (secure && (port === 25 || port === 587)) {
    return { fault: `has smtps:// with port ${port}, where encryption begins later. Write smtp:// instead, or port 465` }
  }
  if (!secure && port === 465)
    return { fault: 'has smtp:// with port 465, which is encrypted from the start. Write smtps:// instead' }
  return { host, port, secure, credentials: user ? { user, pass } : undefined }
}

function partsOf(text: string) {
  try {
    const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
    if (!hostname || search || hash || (pathname !== '' && pathname !== '/')) return undefined
    const secure = protocol === 'smtps:'
    return {
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port) || (secure ? 465 : 587),
      secure,
      user: decodeURIComponent(username),
      pass: decodeURIComponent(password),
    }
  } catch {
    return undefined
  }
}

/**
 * How the connection is protected. A valid certificate is required with smtps:// and with credentials, which a false server
 * could steal. Without credentials STARTTLS is used where it is offered, with any certificate: a local mail server often has a
 * self-signed one. A server on this machine needs none of it.
 */
export function protectionOf({ host, secure, credentials }: SmtpServer) {
  const isLocal = isLoopbackHost(host.includes(':') ? `[${host}]` : host)
  return {
    requireTLS: !secure && credentials !== undefined && !isLocal,
    tls: { rejectUnauthorized: !isLocal && (secure || credentials !== undefined) },
  }
}
