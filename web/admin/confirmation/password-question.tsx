import { LazyDialog, lazyPart } from '../lazy.tsx'
import { useQuestion } from './confirmed.ts'

const passwordDialog = lazyPart(async () => (await import('./password-dialog.tsx')).PasswordDialog)

export function PasswordQuestion() {
  const question = useQuestion()
  return question && <LazyDialog part={passwordDialog} props={question} />
}
