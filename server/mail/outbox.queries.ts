import { randomUUID } from 'node:crypto'
import type { Language } from '#contract/languages.ts'
import type { MailAddress, MailKind } from '#contract/mails.ts'
import { type Clock, day } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import type { Db, MailMessage, MailRow } from '#server/database/tables.ts'
import { readMaker } from '#server/features/site-content/site-content.queries.ts'
import { readRunningTime } from '#server/jobs/running-time.ts'
import { soonestRetry, waitAfter } from './retries.rules.ts'

type NewMail = {
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

type NewMails = Omit<NewMail, 'message'> & { message: Omit<MailMessage, 'to'> }

/** The same for several readers, a mail for each. Answers the first one's id. */
export async function putIntoOutboxFor(tx: Db, readers: readonly MailAddress[], { message, ...mail }: NewMails, now: Date) {
  const ids: string[] = []
  for (const { address } of readers) ids.push(await putIntoOutbox(tx, { ...mail, message: { to: address, ...message } }, now))
  return ids[0] ?? ''
}

/** Some of those that are due, the longest due first. */
export function listDue(db: Db, now: Date) {
  return db
    .selectFrom('outbox')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('nextAttemptAt', '<=', now.toISOString())
    .orderBy('nextAttemptAt')
    .orderBy('id')
    .limit(20)
    .execute()
}

/** Puts the next attempt off, and answers the mail as it is then; undefined when another process was first. */
export async function claim(db: Db, { id, attempts, ...mail }: MailRow, now: Date): Promise<MailRow | undefined> {
  const claimed = {
    attempts: attempts + 1,
    nextAttemptAt: new Date(now.getTime() + waitAfter(attempts + 1)).toISOString(),
  }
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set(claimed)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'waiting')
    .where('nextAttemptAt', '<=', now.toISOString())
    .executeTakeFirst()
  return numUpdatedRows > 0n ? { id, ...mail, ...claimed } : undefined
}

/** They hold a link that lets its reader in. */
const withLink: MailKind[] = ['address', 'password']

/** `nextAttemptAt` of a mail that is not tried any more is when it was sent or given up. One with a link is not kept. */
export async function noteSent(db: Db, { id, kind, replyId }: MailRow, now: Date) {
  if (withLink.includes(kind)) return db.deleteFrom('outbox').where('id', '=', id).execute()
  const at = now.toISOString()
  await db.transaction().execute(async (tx) => {
    // In the order in which deleting a message changes them: otherwise both could wait for each other.
    if (replyId) await tx.updateTable('contactReplies').set({ sentAt: at }).where('id', '=', replyId).execute()
    await tx.updateTable('outbox').set({ state: 'sent', lastError: null, nextAttemptAt: at }).where('id', '=', id).execute()
  })
}

export async function noteFailure(
  db: Db,
  mail: MailRow,
  { reason, gaveUp, now }: { reason: string; gaveUp: boolean; now: Date },
) {
  await ifStillClaimed(db, mail)
    .set({ lastError: reason, ...(gaveUp && { state: 'failed', nextAttemptAt: now.toISOString() }) })
    .execute()
}

/** Those that a message has caused and that have not been sent: it was spam. */
export async function withdrawMailsOf(tx: Db, contactId: string) {
  await tx
    .deleteFrom('outbox')
    .where('contactId', '=', contactId)
    .where('kind', 'in', ['inquiry', 'acknowledgement'])
    .where('state', '!=', 'sent')
    .execute()
}

/** As if the attempt had not been made. */
export async function putBack(db: Db, mail: MailRow, now: Date) {
  await ifStillClaimed(db, mail)
    .set({ attempts: mail.attempts - 1, nextAttemptAt: now.toISOString() })
    .execute()
}

/** Not one that was dismissed or retried in between. */
function ifStillClaimed(db: Db, { id, attempts }: MailRow) {
  return db.updateTable('outbox').where('id', '=', id).where('attempts', '=', attempts).where('state', '=', 'waiting')
}

/** Those the mail server has refused or not taken yet. */
function troubled(db: Db) {
  return db.selectFrom('outbox').where('state', 'in', ['waiting', 'failed']).where('lastError', 'is not', null)
}

export async function countTroubled(db: Db) {
  const { count } = await troubled(db)
    .select((mail) => mail.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The newest first. */
export function listTroubled(db: Db) {
  return troubled(db).selectAll().orderBy('createdAt', 'desc').orderBy('id').limit(100).execute()
}

function findMail(db: Db, id: string) {
  return db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst()
}

/** From the first short wait on, as a new one. Undefined when there is no such mail, or it was sent. */
export async function tryAgain(db: Db, id: string, now: Date) {
  const mail = await findMail(db, id)
  if (!mail || mail.state === 'sent') return undefined
  const { state, attempts, nextAttemptAt } = mail
  await db
    .updateTable('outbox')
    .set({ state: 'waiting', attempts: 0, nextAttemptAt: soonestRetry(mail, now).toISOString() })
    .where('id', '=', id)
    // Otherwise it is being sent at this moment, or was sent.
    .where('state', '=', state)
    .where('attempts', '=', attempts)
    .where('nextAttemptAt', '=', nextAttemptAt)
    .execute()
  const after = await findMail(db, id)
  return after?.state === 'sent' ? undefined : after
}

/** With another mail server: in a minute, when an attempt that is under way has ended. */
export async function tryWaitingSoon(tx: Db, now: Date) {
  const soon = new Date(now.getTime() + waitAfter(1)).toISOString()
  await tx
    .updateTable('outbox')
    .set({ nextAttemptAt: soon })
    .where('state', '=', 'waiting')
    .where('nextAttemptAt', '>', soon)
    .execute()
}

export async function removeUnsent(db: Db, id: string) {
  const { numDeletedRows } = await db.deleteFrom('outbox').where('id', '=', id).where('state', '!=', 'sent').executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Removes mails that were sent a day ago or given up a month ago, those about a message that was deleted, and those whose link
 * has expired.
 */
export async function sweepOutbox(db: Db, clock: Clock) {
  const { daysBefore } = await readRunningTime(db, clock)
  const ended = { sent: daysBefore(1), failed: daysBefore(30) } as const
  for (const [state, before] of Object.entries(ended)) {
    await db
      .deleteFrom('outbox')
      .where('state', '=', state as keyof typeof ended)
      .where('nextAttemptAt', '<=', before.toISOString())
      .execute()
  }
  await db.deleteFrom('outbox').where('contactId', 'is', null).where('kind', '=', 'inquiry').execute()
  const expired = new Date(clock.now().getTime() - day).toISOString()
  await db
    .deleteFrom('outbox')
    .where('state', 'in', ['waiting', 'failed'])
    .where('kind', 'in', withLink)
    .where('createdAt', '<=', expired)
    .execute()
}

/** What the maker has chosen in the panel. */
export async function readMailSettings(db: Db) {
  const { acknowledges, panelLanguage } = await db
    .selectFrom('site')
    .select(['acknowledges', 'panelLanguage'])
    .executeTakeFirstOrThrow()
  return { acknowledges, language: panelLanguage }
}

/** What mails about the site itself are written and signed with. */
export async function readSignature(db: Db, { publicUrl, timeZone }: Pick<Config, 'publicUrl' | 'timeZone'>) {
  const [{ language }, { brand }] = await Promise.all([readMailSettings(db), readMaker(db)])
  return { language, brand, publicUrl, timeZone }
}

export async function changeMailSettings(
  db: Db,
  { acknowledges, language }: { acknowledges?: boolean | undefined; language?: Language | undefined },
) {
  const changes = {
    ...(acknowledges !== undefined && { acknowledges }),
    ...(language !== undefined && { panelLanguage: language }),
  }
  if (Object.keys(changes).length > 0) await db.updateTable('site').set(changes).execute()
}
