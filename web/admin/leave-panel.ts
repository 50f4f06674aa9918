import { signInPath } from '#contract/page-paths.ts'

const key = 'admin-farewell'

const reasons = ['signedOut', 'sessionEnded', 'accountDeleted'] as const
type LeaveReason = (typeof reasons)[number]

/**
 * Leaves the panel by loading the sign-in page anew: nothing that was read stays in memory, and the server says afresh
 * whether the demo account still exists. The sign-in page reads the reason from the tab's storage.
 */
export function leavePanel(reason: LeaveReason) {
  try {
    sessionStorage.setItem(key, reason)
  } catch {
    // Without storage the sign-in page does not say why.
  }
  // The query has at most a language, which goes along.
  location.replace(`${signInPath}${location.search}`)
}

export function readLeaveReason(): LeaveReason | undefined {
  try {
    const stored = sessionStorage.getItem(key)
    return reasons.find((each) => each === stored)
  } catch {
    return undefined
  }
}

export function forgetLeaveReason() {
  try {
    sessionStorage.removeItem(key)
  } catch {
    return
  }
}
