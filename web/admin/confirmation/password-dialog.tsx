import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { confirmPassword } from '#contract/accounts.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { useConfirmByPasskey } from '../accounts/passkeys.tsx'
import { FormDialog, useSentForm } from '../form-dialog.tsx'
import { InputField } from '../input-field.tsx'
import { useNotices } from '../notices.ts'
import { useAdminTexts } from '../texts.ts'
import type { Question } from './confirmed.ts'

export function PasswordDialog({ opener, onConfirmed, onClose }: Question) {
  const t = useAdminTexts()
  const confirm = useMutation({ mutationFn: (body: { password: string }) => call(confirmPassword, { body }) })
  const form = useForm({ defaultValues: { password: '' } })
  const notices = useNotices()
  const passkey = useConfirmByPasskey(onConfirmed)
  const sent = useSentForm(form, confirm, { failed: t.confirmation.failed, onClose: onConfirmed })
  return (
    <FormDialog
      opener={opener}
      title={t.confirmation.title}
      description={t.confirmation.reason}
      submitLabel={sent.busy ? t.confirmation.confirming : t.confirmation.confirm}
      {...sent}
      failure={sent.failure ?? notices.lasting(passkey.error, t.accounts.passkeys.faults.failed)}
      note={
        passkey.isOffered && (
          <Button icon={KeyRound} className="w-full" aria-disabled={passkey.isPending} onClick={passkey.use}>
            {t.accounts.passkeys.use}
          </Button>
        )
      }
      onClose={onClose}
    >
      <InputField
        form={form}
        name="password"
        type="password"
        label={t.confirmation.password}
        missing={t.confirmation.missing}
        autoComplete="current-password"
        readOnly={sent.busy}
        data-focus-first
      />
    </FormDialog>
  )
}
