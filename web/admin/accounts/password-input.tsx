import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { Input } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useAdminTexts } from '../texts.ts'
import { weaknessOf } from './password.rules.ts'

/** A password field whose text can be shown. */
export function PasswordInput(props: Omit<ComponentProps<'input'>, 'type'>) {
  const t = useAdminTexts()
  const [shown, setShown] = useState(false)
  const label = shown ? t.common.hideTyped : t.common.showTyped
  return (
    <div className="relative">
      <Input {...props} type={shown ? 'text' : 'password'} className="pr-13" autoCapitalize="none" spellCheck={false} />
      <IconButton
        label={label}
        tip={label}
        onClick={() => setShown(!shown)}
        className="absolute top-0.5 right-0.5 text-(--quiet)"
      >
        {shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
      </IconButton>
    </div>
  )
}

/** Advice about a password while it is typed. Always rendered: screen readers announce only changes of a live region. */
export function PasswordAdvice({ password, username }: { password: string; username: string | undefined }) {
  const t = useAdminTexts()
  const weakness = weaknessOf(password, username)
  return <span aria-live="polite">{weakness && t.accounts.weak[weakness]}</span>
}
