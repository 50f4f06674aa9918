import { useAdminTexts } from '../texts.ts'
import { weaknessOf } from './password.rules.ts'

/** What could be better about a password, while it is typed. Always there, because only what changes is read out. */
export function PasswordAdvice({ password, username }: { password: string; username: string | undefined }) {
  const t = useAdminTexts()
  const weakness = weaknessOf(password, username)
  return <span aria-live="polite">{weakness && t.accounts.weak[weakness]}</span>
}
