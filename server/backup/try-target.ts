import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { ProblemDetails } from '#contract/problems.ts'
import { withTimeout } from '#server/clock.ts'
import type { OffsiteSettings } from '#server/config.ts'
import { Problem } from '#server/http/problem.ts'
import { oneLine } from '#server/mail/compose.rules.ts'
import { joinPending, openTarget } from './offsite-copies.ts'

/** The panel waits for the answer. A share that is away never gives one. */
const timeout = 30_000

const underWay = new Map<string, Promise<boolean>>()

/** Writes a small file to an off-site target, reads it back and removes it. Refuses with what the target has against that. */
export async function tryTarget(settings: OffsiteSettings) {
  const tried = joinPending(underWay, JSON.stringify(settings), () => tryOut(settings))
  try {
    const isTried = await withTimeout(timeout, tried, false)
    if (!isTried) throw new Error(`There was no answer within ${timeout / 1000} seconds.`)
  } catch (fault) {
    const { name, said } = causeOf(fault)
    throw new Problem('offsite_refused', { details: { why: reasons[name] ?? 'unreachable', said }, cause: fault })
  }
}

async function tryOut(settings: OffsiteSettings) {
  if (settings.kind === 'folder' && !(await stat(settings.folder)).isDirectory()) {
    throw Object.assign(new Error(`${settings.folder} is not a folder.`), { code: 'ENOTDIR' })
  }
  const target = await openTarget(settings)
  const name = `vitrina-test-${randomUUID()}`
  const content = Buffer.from('Vitrina can write here.\n')
  await target.put(name, content)
  try {
    if (!(await target.read(name))?.equals(content)) throw new Error('The test file came back changed.')
  } finally {
    await target.remove(name)
  }
  return true
}

type Why = ProblemDetails['offsite_refused']['why']

const reasons: Partial<Record<string, Why>> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  NoSuchBucket: 'missing',
  EACCES: 'read_only',
  EPERM: 'read_only',
  EROFS: 'read_only',
  AccessDenied: 'read_only',
  InvalidAccessKeyId: 'keys',
  SignatureDoesNotMatch: 'keys',
  ENOSPC: 'full',
  EDQUOT: 'full',
}

/** The storage wraps what the service or the system has said. */
function causeOf(error: unknown): { name: string; said: string } {
  const { cause, name, code, message } = error as Error & { code?: unknown; Code?: unknown }
  if (cause instanceof Error) return causeOf(cause)
  return { name: typeof code === 'string' ? code : name, said: oneLine(message || name, 300) }
}
