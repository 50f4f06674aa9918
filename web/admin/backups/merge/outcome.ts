import type { BackupStatus } from '#contract/backup-status.ts'
import { CallError } from '../../../api/call.ts'
import { NotConfirmed } from '../../confirmation/confirmed.ts'
import { pause } from '../../pause.ts'

/** The connection was lost, and what was asked for was not done. */
export class NotDone extends Error {}

type Watching<Answer> = {
  /** Called when the connection is lost while it is under way. */
  onLost(): void
  readState(): Promise<BackupStatus>
  /** What it has led to, once the state tells. */
  endIn(state: BackupStatus): Answer | undefined
  signal: AbortSignal
  /** How long to wait before the state is read again, in milliseconds. */
  every?: number
}

/** Long work whose answer may be lost on the way: the site goes on with it, and its end is found in the state. */
export async function withOutcome<Answer>(work: () => Promise<Answer>, watching: Watching<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (!isLost(error)) throw error
  }
  watching.onLost()
  return endOf(watching)
}

/** What has to be known before the work: without a connection it is not begun. */
export async function beforehand<Answer>(reading: Promise<Answer>): Promise<Answer> {
  try {
    return await reading
  } catch (error) {
    throw isLost(error) ? new NotDone('Nothing was begun.', { cause: error }) : error
  }
}

async function endOf<Answer>({ readState, endIn, signal, every = 1_000 }: Watching<Answer>): Promise<Answer> {
  // One answer may come before the work has begun.
  for (let idle = 0; idle < 2; ) {
    await pause(every, signal)
    const state = await readState().catch((error: unknown) => {
      if (!isLost(error)) throw error
    })
    signal.throwIfAborted()
    if (!state) continue
    const end = endIn(state)
    if (end) return end
    idle = state.working ? 0 : idle + 1
  }
  throw new NotDone('Nothing was done.')
}

/** No answer at all, or one of a proxy that had none. */
function isLost(error: unknown) {
  if (error instanceof CallError) return error.problem === undefined && error.status >= 502
  return !(error instanceof NotConfirmed || error instanceof NotDone)
}
