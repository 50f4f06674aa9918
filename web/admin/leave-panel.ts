import { signInPath } from '#contract/first-visit.ts'
import { withTabStorage } from '../tab-storage.ts'

const key = 'admin-farewell'

const reasons = ['signedOut', 'sessionEnded', 'accountDeleted'] as const
type LeaveReason = (typeof reasons)[number]

/**
 * Leaves the panel by loading the sign-in page anew: nothing that was read stays in memory, and the server says afresh
 * whether the demo account still exists. The sign-in page reads the reason from the tab's storage.
 */
export function leavePanel(reason: LeaveReason) {
  // Without storage the sign-in page does not say why.
  withTabStorage((storage) => storage.setItem(key, reason))
  // The query has at most a language and a message, which go along.
  location.replace(`${signInPath}${location.search}`)
}

export function readLeaveReason(): LeaveReason | undefined {
  const stored = withTabStorage((storage) => storage.getItem(key))
  return reasons.find((each) => each === stored)
}

export function forgetLeaveReason() {
  withTabStorage((storage) => storage.removeItem(key))
}
