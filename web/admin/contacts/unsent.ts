import { keptInTab, unsaved } from '../../kept.ts'

type Reply = {
  /** The idempotency key of the reply: sending it twice stores one. */
  replyId: string
  /** The recipient. */
  name: string
  text: string
}

type Note = {
  /** The note before editing. */
  was: string | null
  text: string
}

/** By the ids of their messages. */
export const unsentReplies = keptInTab<Reply>(`${unsaved}reply:`)
export const unsavedNotes = keptInTab<Note>(`${unsaved}note:`)

/** An unsent reply, and the id of the message it answers. */
export function waitingReply() {
  const [id] = unsentReplies.ids()
  const reply = id === undefined ? undefined : unsentReplies.read(id)
  return id !== undefined && reply ? { id, name: reply.name } : undefined
}
