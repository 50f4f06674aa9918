import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '#server/clock.ts'
import type { Db, TokenKind } from '#server/database/tables.ts'

type Issued = { kind: TokenKind; adminId?: string | undefined; email?: string | undefined; lifetime: number }

/** A random one of 256 bits, of which only the hash is kept. */
export async function issueToken(db: Db, { kind, adminId, email, lifetime }: Issued, now: Date) {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + lifetime).toISOString()
  await db
    .insertInto('tokens')
    .values({ id: idOf(token), kind, adminId: adminId ?? null, email: email ?? null, expiresAt })
    .execute()
  return token
}

/** The address that waits for its link to be used. */
export async function findUnconfirmedAddress(db: Db, adminId: string, now: Date) {
  const waiting = await db
    .selectFrom('tokens')
    .select('email')
    .where('adminId', '=', adminId)
    .where('kind', '=', 'address')
    .where('expiresAt', '>', now.toISOString())
    .executeTakeFirst()
  return waiting?.email ?? null
}

/** The token, unless it is unknown, of another kind, expired, or was used. */
export function findToken(db: Db, kind: TokenKind, token: string, now: Date) {
  return db
    .selectFrom('tokens')
    .selectAll()
    .where('id', '=', idOf(token))
    .where('kind', '=', kind)
    .where('expiresAt', '>', now.toISOString())
    .executeTakeFirst()
}

/** Ends the token. Undefined when it is unknown, of another kind, expired, or was used: whoever asks first gets it. */
export async function takeToken(db: Db, kind: TokenKind, token: string, now: Date) {
  const taken = await db
    .deleteFrom('tokens')
    .where('id', '=', idOf(token))
    .where('kind', '=', kind)
    .returningAll()
    .executeTakeFirst()
  return taken && taken.expiresAt > now.toISOString() ? taken : undefined
}

export async function dropTokensOf(db: Db, adminId: string, kind: TokenKind) {
  await db.deleteFrom('tokens').where('adminId', '=', adminId).where('kind', '=', kind).execute()
}

export async function sweepTokens(db: Db, clock: Clock) {
  await db.deleteFrom('tokens').where('expiresAt', '<=', clock.now().toISOString()).execute()
}

function idOf(token: string) {
  return createHash('sha256').update(token).digest('hex')
}
