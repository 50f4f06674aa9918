import { signInPage } from '#contract/pages.admin.ts'

const key = 'admin-farewell'

const farewells = ['signedOut', 'sessionEnded', 'accountDeleted'] as const
/** Why somebody was led out of the panel. */
type Farewell = (typeof farewells)[number]

/**
 * Leaves the panel by loading the sign-in page anew: nothing of what was read stays in memory, and the server says afresh
 * whether the demo account still exists. The reason waits in the tab's storage to be told there.
 */
export function leavePanel(reason: Farewell) {
  try {
    sessionStorage.setItem(key, reason)
  } catch {
    // Without storage the page is reached all the same, only without a word.
  }
  // The query has at most a language, which goes along.
  location.replace(`${signInPage.path}${location.search}`)
}

export function readFarewell(): Farewell | undefined {
  try {
    const reason = sessionStorage.getItem(key)
    return farewells.find((each) => each === reason)
  } catch {
    return undefined
  }
}

/** It has been told. */
export function forgetFarewell() {
  try {
    sessionStorage.removeItem(key)
  } catch {
    return
  }
}
