import type { BackupStatus } from '#contract/backup-status.ts'
import { CallError } from '../../../api/call.ts'
import { NotConfirmed } from '../../confirmation/confirmed.ts'
import { pause } from '../../pause.ts'

/** The connection was lost, and the work was not done. */
export class NotDone extends Error {}

type Watching<Answer> = {
  /** Called when the connection is lost while it is under way. */
  onLost(): void
  readStatus(): Promise<BackupStatus>
  /** The result, once the status has it. */
  resultIn(status: BackupStatus): Answer | undefined
  signal: AbortSignal
  /** How long to wait before the state is read again, in milliseconds. */
  every?: number
}

/** Long work whose answer may be lost: the site goes on with it, and the status says how it ended. */
export async function withOutcome<Answer>(work: () => Promise<Answer>, watching: Watching<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (!isLost(error)) throw error
  }
  watching.onLost()
  return pollResult(watching)
}

/** Reads what the work depends on: without a connection it is not begun. */
export async function beforehand<Answer>(reading: Promise<Answer>): Promise<Answer> {
  try {
    return await reading
  } catch (error) {
    throw isLost(error) ? new NotDone('Nothing was begun.', { cause: error }) : error
  }
}

async function pollResult<Answer>({ readStatus, resultIn, signal, every = 1_000 }: Watching<Answer>): Promise<Answer> {
  // The first status may be from before the work began.
  for (let idle = 0; idle < 2; ) {
    await pause(every, signal)
    const status = await readStatus().catch((error: unknown) => {
      if (!isLost(error)) throw error
    })
    signal.throwIfAborted()
    if (!status) continue
    const result = resultIn(status)
    if (result) return result
    idle = status.working ? 0 : idle + 1
  }
  throw new NotDone('Nothing was done.')
}

/** No answer, or a proxy's for a site that did not answer. */
function isLost(error: unknown) {
  if (error instanceof CallError) return error.problem === undefined && error.status >= 502
  return !(error instanceof NotConfirmed || error instanceof NotDone)
}
