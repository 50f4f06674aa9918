import { randomUUID } from 'node:crypto'
import type { MailKind } from '#contract/mails.ts'
import type { Db, MailMessage } from '#server/database/tables.ts'

export type NewMail = {
  kind: MailKind
  contactId?: string | undefined
  replyId?: string | undefined
  message: MailMessage
}

/** To be called in the transaction that stores what the mail is about. Answers its id. */
export async function putIntoOutbox(tx: Db, { kind, contactId, replyId, message }: NewMail, now: Date) {
  const id = randomUUID()
  const at = now.toISOString()
  await tx
    .insertInto('outbox')
    .values({
      id,
      kind,
      contactId: contactId ?? null,
      replyId: replyId ?? null,
      message: JSON.stringify(message),
      nextAttemptAt: at,
      createdAt: at,
    })
    .execute()
  return id
}
