import { withTabStorage } from '../../tab-storage.ts'

/**
 * Unsent replies and notes are copied into the tab's storage with every change: closing the dialog, a reload or the end of
 * the session loses nothing.
 */
type Unsent = {
  reply: {
    /** The idempotency key of the reply: sending it twice stores one. */
    replyId: string
    /** The recipient. */
    name: string
    text: string
  }
  note: {
    /** The note before editing. */
    was: string | null
    text: string
  }
}

const prefix = 'inquiry-'
const keyOf = (kind: keyof Unsent, id: string) => `${prefix}${kind}:${id}`

export function readUnsent<Kind extends keyof Unsent>(kind: Kind, id: string) {
  return withTabStorage((storage) => JSON.parse(storage.getItem(keyOf(kind, id)) ?? 'null') as Unsent[Kind] | null) ?? undefined
}

export function keepUnsent<Kind extends keyof Unsent>(kind: Kind, id: string, unsent: Unsent[Kind]) {
  withTabStorage((storage) => storage.setItem(keyOf(kind, id), JSON.stringify(unsent)))
}

export function dropUnsent(kind: keyof Unsent, id: string) {
  withTabStorage((storage) => storage.removeItem(keyOf(kind, id)))
}

export function dropAllUnsent() {
  withTabStorage((storage) => {
    for (const key of Object.keys(storage)) if (key.startsWith(prefix)) storage.removeItem(key)
  })
}

/** An unsent reply, and the id of the message it answers. */
export function waitingReply() {
  const replies = withTabStorage((storage) => Object.keys(storage).filter((key) => key.startsWith(keyOf('reply', '')))) ?? []
  for (const id of replies.map((key) => key.slice(keyOf('reply', '').length))) {
    const reply = readUnsent('reply', id)
    if (reply) return { id, name: reply.name }
  }
  return undefined
}
