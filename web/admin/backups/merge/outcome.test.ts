import { beforeEach, expect, test, vi } from 'vitest'
import type { BackupStatus } from '#contract/backup-status.ts'
import { CallError } from '../../../api/call.ts'
import { NotDone, withOutcome } from './outcome.ts'

const pause = vi.hoisted(() => vi.fn(async () => {}))
vi.mock('../../pause.ts', () => ({ pause }))
beforeEach(() => void vi.stubGlobal('document', { activeElement: null }))

const statusWith = (id: string | null, kind?: 'restore' | 'copy', undoneAt?: string) => {
  const lastMerge = id && { id, undone: undoneAt ? { at: undoneAt } : null }
  return { lastMerge, working: kind ? { kind } : null } as BackupStatus
}
const noAnswer = new TypeError('No answer')

/** A call whose answer is lost, with what the status says before it and at each read afterwards. */
function playLost(statuses: (BackupStatus | Error)[], lost: unknown = noAnswer) {
  const readStatus = vi.fn(async () => {
    const status = statuses.shift() ?? statusWith(null)
    if (status instanceof Error) throw status
    return status
  })
  return { readStatus, outcome: withOutcome(() => Promise.reject(lost), { onLost: () => {}, readStatus }) }
}

test.each([
  ['a merge', [statusWith('old'), statusWith('old', 'restore'), noAnswer, statusWith('new')], 'new'],
  ['an undo', [statusWith('same'), statusWith('same', undefined, '2026-11-18')], 'same'],
])('the end of %s whose answer was lost is found in the status', async (_, statuses, id) => {
  await expect(playLost([...statuses]).outcome).resolves.toMatchObject({ id })
  await expect(playLost([...statuses], new CallError(504, '', undefined)).outcome).resolves.toMatchObject({ id })
})

test('where the status has neither the result nor a job that could bring it, nothing was done', async () => {
  // The off-site copy is no such job.
  const { outcome, readStatus } = playLost([statusWith('old'), statusWith('old', 'copy'), statusWith('old', 'copy')])
  await expect(outcome).rejects.toBeInstanceOf(NotDone)
  expect(readStatus).toHaveBeenCalledTimes(3)
})

test('a refusal is an answer, and without a connection nothing is begun', async () => {
  const refused = playLost([], new CallError(500, '', undefined))
  await expect(refused.outcome).rejects.toBeInstanceOf(CallError)
  expect(refused.readStatus).toHaveBeenCalledTimes(1)
  await expect(playLost([noAnswer]).outcome).rejects.toBeInstanceOf(NotDone)
})
