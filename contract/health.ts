import { z } from 'zod/mini'
import { backupWarnings } from './backup-status.ts'
import { endpoint, type ReplyOf } from './endpoint.ts'
import { moment } from './text.ts'

const well = z.strictObject({ status: z.literal('ok') })

/** For owners only. */
const backups = z.strictObject({
  /** The moment of the newest backup that was read again and lacks nothing. */
  safeAsOf: z.nullable(moment),
  shortfalls: z.array(z.enum(backupWarnings)),
})

export const checkHealth = endpoint({
  method: 'GET',
  path: '/healthz',
  access: 'public',
  summary: 'Whether the database and the storage answer, and there is room on the disk; for owners, the status of the backups.',
  reply: z.strictObject({ ...well.shape, backups: z.optional(backups) }),
})

export const checkReadiness = endpoint({
  method: 'GET',
  path: '/readyz',
  access: 'public',
  summary: 'For load balancers: whether to send visitors here. Not while the site is being stopped.',
  reply: well,
})

export type BackupHealth = NonNullable<ReplyOf<typeof checkHealth>['backups']>
