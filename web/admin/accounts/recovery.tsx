import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { type FormEventHandler, type ReactNode, useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { linkKeys } from '#contract/accounts.ts'
import { confirmAddress, requestPasswordLink, resetPassword } from '#contract/recovery.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { ActionError } from '../action-error.tsx'
import { useSentForm } from '../form-dialog.tsx'
import { InputField } from '../input-field.tsx'
import { forgetInAddress, isRefusedAs, sessionQuery } from '../session.ts'
import { takeFocus, useTitle } from '../shell.tsx'
import { useAdminTexts } from '../texts.ts'
import { NewPasswordField } from './new-password-field.tsx'

/** What a link in a mail opens, or the request for one. */
export type Screen = 'link' | 'forgotten'

type Props = {
  screen: Screen
  onScreen(screen: Screen): void
  /** Back to the form, with what was done. */
  onLeave(done?: string): void
}

/** What the sign-in page shows instead of its form. */
export function Recovery({ screen, onScreen, onLeave }: Props) {
  const [link] = useState(openedLink)
  // So that the token is in no bookmark and no history.
  useEffect(() => forgetInAddress(...Object.values(linkKeys)), [])
  if (screen === 'forgotten' || !link) return <Forgotten onLeave={onLeave} />
  if (link.name === 'address') return <ConfirmAddress token={link.token} onLeave={onLeave} />
  return <NewPassword token={link.token} onLeave={onLeave} onExpired={() => onScreen('forgotten')} />
}

export function openedLink() {
  const query = new URLSearchParams(location.search)
  for (const name of ['address', 'password'] as const) {
    const token = query.get(linkKeys[name])
    if (token !== null) return { name, token }
  }
  return undefined
}

type ScreenProps = { token: string; onLeave: Props['onLeave'] }

function Forgotten({ onLeave }: Pick<Props, 'onLeave'>) {
  const t = useAdminTexts().recovery.forgotten
  const request = useMutation({ mutationFn: (body: { account: string }) => call(requestPasswordLink, { body }) })
  const form = useForm({ defaultValues: { account: '' } })
  const sent = useSentForm(form, request, { failed: t.failed, onClose: () => {} })
  return (
    <Sheet {...t} {...sent} done={request.isSuccess && t.done} onLeave={onLeave}>
      <InputField form={form} name="account" label={t.account} missing={t.missing} autoComplete="username" />
    </Sheet>
  )
}

function NewPassword({ token, onLeave, onExpired }: ScreenProps & { onExpired(): void }) {
  const { accounts, recovery } = useAdminTexts()
  const t = recovery.password
  const cache = useQueryClient()
  const reset = useMutation({
    mutationFn: ({ newPassword }: { newPassword: string }) => call(resetPassword, { body: { token, newPassword } }),
    // Of this browser, too.
    onSuccess: () => cache.setQueryData(sessionQuery.queryKey, { authenticated: false }),
  })
  const form = useForm({ defaultValues: { newPassword: '' } })
  const sent = useSentForm(form, reset, { failed: accounts.changeFailed, onClose: () => onLeave(t.isSet) })
  return (
    <Sheet {...t} {...sent} expired={isExpired(reset.error)} onExpired={onExpired} onLeave={onLeave}>
      <NewPasswordField form={form} name="newPassword" label={accounts.newPassword} missing={accounts.missing.newPassword} />
    </Sheet>
  )
}

/** By a button: programs that check mails for harmful links open them all. */
function ConfirmAddress({ token, onLeave }: ScreenProps) {
  const t = useAdminTexts().recovery.address
  const confirm = useMutation({ mutationFn: (_: object) => call(confirmAddress, { body: { token } }) })
  const form = useForm()
  const sent = useSentForm(form, confirm, { failed: t.failed, onClose: () => {} })
  return (
    <Sheet
      {...t}
      {...sent}
      done={confirm.data && t.done(confirm.data.email)}
      expired={isExpired(confirm.error)}
      next={confirm.isSuccess && t.toPanel}
      onLeave={onLeave}
    />
  )
}

const isExpired = (error: unknown) => isRefusedAs(error, 'link_not_valid')

type SheetProps = Record<'title' | 'text' | 'submit' | 'submitting', string> & {
  busy: boolean
  /** Instead of the form. */
  done?: string | false | undefined
  failure: string | undefined
  /** The link has ended: only another one helps, which may be requested. */
  expired?: boolean
  onExpired?(): void
  /** Instead of the way back. */
  next?: string | false
  onSubmit: FormEventHandler
  onLeave(): void
  children?: ReactNode
}

function Sheet(props: SheetProps) {
  const { title, text, submit, submitting, busy, done, failure, expired, onExpired, next, onSubmit, onLeave, children } = props
  const { recovery } = useAdminTexts()
  useTitle(title)
  return (
    <>
      {/* What had the focus is gone. */}
      <h1 key={String(done)} ref={takeFocus} tabIndex={-1} className="text-4xl outline-none">
        {title}
      </h1>
      {done ? (
        <p role="status" className="mt-6 border-l-4 border-verdigris bg-verdigris/10 px-4 py-3 wrap-anywhere">
          {done}
        </p>
      ) : expired ? (
        <div className="mt-6 grid grid-cols-1 gap-6">
          <ActionError>{failure}</ActionError>
          {onExpired && (
            <Button size="large" tone="brass" onClick={onExpired}>
              {recovery.another}
            </Button>
          )}
        </div>
      ) : (
        <form onSubmit={onSubmit} noValidate aria-label={title} className="mt-3 grid grid-cols-1 gap-6">
          <p className="text-(--quiet)">{text}</p>
          {children}
          <ActionError>{failure}</ActionError>
          <Button size="large" type="submit" tone="brass" disabled={busy}>
            {busy ? submitting : submit}
          </Button>
        </form>
      )}
      {next ? (
        <Button size="large" tone="brass" className="mt-6 w-full" onClick={() => onLeave()}>
          {next}
        </Button>
      ) : (
        <Button icon={ArrowLeft} tone="quiet" className="mt-3 w-full" disabled={busy} onClick={() => onLeave()}>
          {recovery.back}
        </Button>
      )}
    </>
  )
}
