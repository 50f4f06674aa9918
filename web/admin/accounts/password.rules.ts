import { demoAdmin } from '#demo/admin.ts'
import { commonPasswords } from './common-passwords.ts'

/** Why a password that is taken is still a poor one. */
export type Weakness = 'common' | 'name' | 'short'

/** Fewer can be tried through once a database is in the wrong hands. */
const longEnough = 12
/** With fewer it is refused, and the refusal says so. */
const leastTaken = 6

/** Advice, never a refusal; none before anything is typed. */
export function weaknessOf(password: string, username = ''): Weakness | undefined {
  if (password === '') return undefined
  const typed = sameAs(password)
  if (typed === sameAs(demoAdmin.password) || commonPasswords.has(typed)) return 'common'
  if (username.trim() !== '' && typed === sameAs(username)) return 'name'
  return password.length >= leastTaken && [...password].length < longEnough ? 'short' : undefined
}

function sameAs(text: string) {
  return text.trim().normalize('NFC').toLowerCase()
}
