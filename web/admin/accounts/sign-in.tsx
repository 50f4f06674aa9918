import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, KeyRound, LogIn } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Redirect } from 'wouter'
import { signIn } from '#contract/accounts.ts'
import { adminPath } from '#contract/first-visit.ts'
import { demoAdmin } from '#demo/admin.ts'
import { CallError, call } from '../../api/call.ts'
import { useLanguage } from '../../language/language.tsx'
import type { PageState } from '../../page.ts'
import { Button } from '../../ui/button.tsx'
import { ActionError } from '../action-error.tsx'
import { NotConfirmed } from '../confirmation/confirmed.ts'
import { waitingReply } from '../contacts/unsent.ts'
import { InputField } from '../input-field.tsx'
import { useNotices } from '../notices.ts'
import { waitingUnsaved } from '../projects/unsaved.ts'
import { leaveReason, passkeysMissing, sessionQuery } from '../session.ts'
import { Shell, useTitle } from '../shell.tsx'
import { isTypedKept } from '../site-content/site-calls.ts'
import { sentenceOf, useAdminTexts } from '../texts.ts'
import { openedLink, Recovery, type Screen } from './recovery.tsx'

export function SignIn({ demoHint, mailsLinks }: Pick<PageState, 'demoHint' | 'mailsLinks'>) {
  const t = useAdminTexts()
  const { link } = useLanguage()
  /** Instead of the form: what a link in a mail opens, or the request for one. */
  const [screen, setScreen] = useState<Screen | undefined>(() => (openedLink() ? 'link' : undefined))
  const [recovered, setRecovered] = useState<string>()
  const leave = (done?: string) => {
    setRecovered(done)
    setScreen(undefined)
  }
  const [reason] = useState(() => leaveReason.read())
  const notices = useNotices()
  useTitle(t.signIn.title)

  const sayWhy = useEffectEvent(() => {
    if (reason === 'signedOut') notices.done(t.dashboard.loggedOut)
    if (reason === 'accountDeleted') notices.done(t.accounts.deleteDone)
  })
  useEffect(() => {
    leaveReason.drop()
    sayWhy()
  }, [])

  const { data: session } = useQuery(sessionQuery)
  if (session?.authenticated && !screen) return <Redirect to={`${adminPath}${location.search}`} replace />
  return (
    <Shell className="squared grid grid-cols-1 content-center px-5 py-12 sm:py-20">
      <div className="corner-ticks mx-auto w-full max-w-md border border-(--line) bg-(--raised)">
        <div className="px-6 pt-9 pb-8 sm:px-10">
          {screen ? (
            <Recovery screen={screen} onScreen={setScreen} onLeave={leave} />
          ) : (
            <>
              <h1 className="text-4xl">{t.signIn.title}</h1>
              <p className="mt-3 text-(--quiet)">{t.signIn.intro}</p>
              {(recovered || reason === 'sessionEnded') && (
                <div role="status" className="mt-6 border-l-4 border-brass bg-brass/10 px-4 py-3">
                  <p className="font-medium">{recovered ?? t.signIn.ended}</p>
                  {waitingUnsaved() && <p className="mt-1 text-sm">{t.signIn.endedUnsaved}</p>}
                  {waitingReply() && <p className="mt-1 text-sm">{t.signIn.endedUnsent}</p>}
                  {isTypedKept() && <p className="mt-1 text-sm">{t.signIn.endedTyped}</p>}
                </div>
              )}
              <SignInForm />
              <Forgotten demoHint={demoHint} onAsk={mailsLinks && (() => setScreen('forgotten'))} />
              {/* Only while the demo account exists, which signs in from the same machine only. */}
              {demoHint && (
                <p className="mt-6 border-t border-dashed border-(--line) pt-4 text-sm text-(--quiet)">
                  {t.signIn.demoHint}
                  {': '}
                  <code className="font-mono text-ink">{`${demoAdmin.username} / ${demoAdmin.password}`}</code>
                </p>
              )}
            </>
          )}
        </div>
        <p
          aria-hidden="true"
          className="lettering grid grid-cols-3 divide-x divide-(--line) border-t border-(--line) text-(--quiet)"
        >
          {t.signIn.sheet.map((cell) => (
            <span key={cell} className="px-2 py-2.5 text-center text-[0.8125rem]">
              {cell}
            </span>
          ))}
        </p>
      </div>
      <p className="mt-6 text-center">
        <a
          href={link('/')}
          className="inline-flex min-h-11 items-center gap-2 px-2 text-[0.9375rem] underline-offset-4 hover:underline"
        >
          <ArrowLeft className="size-4" />
          {t.signIn.backToSite}
        </a>
      </p>
    </Shell>
  )
}

type ForgottenProps = { demoHint: boolean | undefined; onAsk: (() => void) | false | undefined }

/** Where no link can be mailed, who can help. */
function Forgotten({ demoHint, onAsk }: ForgottenProps) {
  const t = useAdminTexts().recovery
  if (onAsk) {
    return (
      <Button tone="quiet" className="mt-3 w-full" onClick={onAsk}>
        {t.ask}
      </Button>
    )
  }
  return (
    <p className="mt-5 text-sm text-(--quiet)">
      {t.ask} {demoHint ? t.console : t.installer}
      {demoHint && <code className="font-mono text-ink">{' npm run admin -- reset'}</code>}
    </p>
  )
}

type Credentials = { username: string; password: string }

/** By name and password, or without them by a passkey. */
function SignInForm() {
  const t = useAdminTexts()
  const notices = useNotices()
  const cache = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: async (entered: Credentials | undefined) =>
      entered ? call(signIn, { body: entered }) : (await import('./passkeys.tsx')).signInHere(),
  })
  const { passkeys } = t.accounts
  const [failure, setFailure] = useState<string>()
  const form = useForm({ defaultValues: { username: '', password: '' } })
  const enter = (entered?: Credentials) => {
    setFailure(undefined)
    mutate(entered, {
      onSuccess: (session) => {
        notices.done(t.signIn.done)
        // Redirects to the dashboard.
        cache.setQueryData(sessionQuery.queryKey, session)
        void cache.invalidateQueries({ queryKey: sessionQuery.queryKey })
      },
      onError: (error) => {
        if (error instanceof NotConfirmed) return
        // Too many attempts, or the demo account from another machine: the form shows the server's reason.
        const isRefused = error instanceof CallError && [403, 429].includes(error.status)
        const said = sentenceOf(error, passkeys.faults.failed, t)
        const sentence = isRefused || !entered ? said : t.signIn.failed
        notices.fail(sentence)
        setFailure(sentence)
      },
    })
  }
  return (
    <form onSubmit={form.handleSubmit(enter)} noValidate aria-label={t.signIn.title} className="mt-8 grid grid-cols-1 gap-6">
      <InputField
        form={form}
        name="username"
        label={t.signIn.username}
        missing={t.signIn.usernameMissing}
        autoComplete="username"
        // On a touch screen the keyboard would cover the page.
        autoFocus={matchMedia('(pointer: fine)').matches}
      />
      <InputField
        form={form}
        name="password"
        type="password"
        label={t.signIn.password}
        missing={t.signIn.passwordMissing}
        autoComplete="current-password"
      />
      <ActionError>{failure}</ActionError>
      <Button size="large" icon={LogIn} type="submit" tone="brass" disabled={isPending} className="w-full">
        {isPending ? t.signIn.submitting : t.signIn.submit}
      </Button>
      {!passkeysMissing() && (
        <Button
          size="large"
          icon={KeyRound}
          aria-disabled={isPending}
          className="-mt-3 w-full"
          onClick={() => isPending || enter()}
        >
          {passkeys.use}
        </Button>
      )}
    </form>
  )
}
