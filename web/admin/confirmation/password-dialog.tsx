import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { confirmPassword } from '#contract/accounts.ts'
import { call } from '../../api/call.ts'
import { Field } from '../../ui/field.tsx'
import { PasswordInput } from '../accounts/password-input.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { lazyPart, useLazy } from '../lazy.tsx'
import { useNotices } from '../notices.ts'
import { sentenceOf, useAdminTexts } from '../texts.ts'
import type { Question } from './confirmed.ts'

const passkeyPart = lazyPart(async () => (await import('../accounts/passkeys.tsx')).UsePasskey)

/** Asks for the password, or for a passkey. */
export function PasswordDialog({ opener, onConfirmed, onClose }: Question) {
  const t = useAdminTexts()
  const confirm = useMutation({ mutationFn: (body: { password: string }) => call(confirmPassword, { body }) })
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { password: '' } })
  const { password: fault } = formState.errors
  const notices = useNotices()
  const [failure, setFailure] = useState<unknown>()
  const { Part: UsePasskey } = useLazy(passkeyPart)
  const submit = handleSubmit((body) =>
    confirm.mutate(body, {
      onSuccess: onConfirmed,
      onError: (error) => {
        const message = sentenceOf(error, t.confirmation.failed, t)
        setError('password', { type: 'server', message }, { shouldFocus: true })
      },
    }),
  )
  return (
    <FormDialog
      opener={opener}
      title={t.confirmation.title}
      description={t.confirmation.reason}
      submitLabel={confirm.isPending ? t.confirmation.confirming : t.confirmation.confirm}
      busy={confirm.isPending}
      failure={notices.lasting(failure, t.accounts.passkeys.faults.failed)}
      note={UsePasskey && <UsePasskey onConfirmed={onConfirmed} onFailed={setFailure} />}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={t.confirmation.password} error={fault && (fault.message || t.confirmation.missing)}>
        {(slot) => (
          <PasswordInput
            {...slot}
            {...register('password', { required: true })}
            autoComplete="current-password"
            readOnly={confirm.isPending}
            data-focus-first
          />
        )}
      </Field>
    </FormDialog>
  )
}
