import { type BackupStatus, isInBackground } from '#contract/backup-status.ts'
import type { RestoredReport } from '#contract/restores.ts'
import { CallError } from '../../../api/call.ts'
import { confirmed, NotConfirmed } from '../../confirmation/confirmed.ts'
import { pause } from '../../pause.ts'

/** The connection was lost, and nothing was done. */
export class NotDone extends Error {}

type Options = {
  /** Called when the connection is lost after the call. */
  onLost(): void
  readStatus(): Promise<BackupStatus>
}

const markOf = ({ lastMerge }: BackupStatus) => [lastMerge?.id, lastMerge?.undone?.at].join()

/** A merge or an undo, whose answer may be lost: the site goes on with it, and the status says how it ended. */
export async function withOutcome(
  run: () => Promise<RestoredReport>,
  { onLost, readStatus }: Options,
): Promise<RestoredReport> {
  let before: string | undefined
  try {
    return await confirmed(async () => {
      before = undefined
      // Otherwise a merge of another tab would be taken for this one.
      before = markOf(await readStatus())
      return run()
    })
  } catch (error) {
    if (!isLost(error)) throw error
  }
  if (before === undefined) throw new NotDone('Nothing was begun.')
  onLost()
  // The first status may be from before the work began.
  for (let idle = 0; idle < 2; ) {
    await pause(1_000)
    const status = await readStatus().catch((error: unknown) => {
      if (!isLost(error)) throw error
    })
    if (!status) continue
    if (status.lastMerge && markOf(status) !== before) return status.lastMerge
    idle = status.working && !isInBackground(status.working) ? 0 : idle + 1
  }
  throw new NotDone('Nothing was done.')
}

/** No answer, or a proxy's for a site that did not answer. */
function isLost(error: unknown) {
  if (error instanceof CallError) return error.problem === undefined && error.status >= 502
  return !(error instanceof NotConfirmed)
}
