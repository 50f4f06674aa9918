import { useQuery } from '@tanstack/react-query'
import { RotateCcw, Send, TriangleAlert } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Mail, Mails } from '#contract/mails.ts'
import { useLanguage } from '../../language/language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { cn } from '../../ui/cn.ts'
import { withReason } from '../action-error.tsx'
import { goTo } from '../block.tsx'
import { Asked, ConfirmCall } from '../confirm-call.tsx'
import { ReadAgain } from '../list.tsx'
import { useNotices } from '../notices.ts'
import { dateIn, useAdminTexts } from '../texts.ts'
import { mailsQuery, useChangeMailSettings, useDismissMail, useRetry, useSendTestMail } from './mail-calls.ts'

const settingNames = ['SMTP_URL', 'MAIL_FROM', 'MAIL_TO'] as const
const place = 'mail-part'

/** For links from other parts of the dashboard. */
export const goToMail = () => goTo('02', { target: place, block: 'center' })

/** The settings of notification mails, and the mails that failed. */
export function MailPart({ onOpen }: { onOpen(contactId: string): void }) {
  const t = useAdminTexts().contacts.mail
  const query = useQuery(mailsQuery)
  const { data: mails, isError } = query
  useKeepLanguage(mails)
  const [givingUp, setGivingUp] = useState<Mail>()
  return (
    <section
      id={place}
      aria-labelledby={`${place}-title`}
      tabIndex={-1}
      data-focus-home
      className="mt-8 border border-(--line) max-md:in-data-short:hidden bg-(--raised) px-4 py-4 outline-none focus-visible:outline-2 focus-visible:outline-(--focus) sm:px-5"
    >
      <h3 id={`${place}-title`} className="text-xl">
        {t.title}
      </h3>
      {mails?.setUp ? (
        <MailOn mails={mails} to={mails.setUp.to} />
      ) : mails ? (
        <MailOff />
      ) : isError ? (
        <ReadAgain query={query} failed={t.failed} />
      ) : (
        <div data-slot="loading" className="mt-3 h-10 animate-pulse bg-bone-line/50">
          <p role="status" className="sr-only">
            {t.loading}
          </p>
        </div>
      )}
      {mails && mails.troubled.length > 0 && <Troubled mails={mails.troubled} onOpen={onOpen} onGiveUp={setGivingUp} />}
      {givingUp && <GiveUp mail={givingUp} onClose={() => setGivingUp(undefined)} />}
    </section>
  )
}

/** Mails to the maker are in the language the panel was last used in. */
function useKeepLanguage(mails: Mails | undefined) {
  const { language } = useLanguage()
  const { mutate } = useChangeMailSettings()
  const differs = mails !== undefined && mails.settings.language !== language
  // When it fails, the next visit tries again.
  const keep = useEffectEvent(() => mutate({ language }))
  useEffect(() => {
    if (differs) keep()
  }, [differs])
}

function MailOff() {
  const { mail: t } = useAdminTexts().contacts
  const names = settingNames.map((name) => (
    <code key={name} className="font-mono text-[0.875em] font-medium text-ink">
      {name}
    </code>
  ))
  return (
    <p className="mt-2 text-[0.9375rem] text-(--quiet)">
      {t.off} {names[0]}
      {', '}
      {names[1]} {t.offAnd} {names[2]}
      {t.offHow}
    </p>
  )
}

function MailOn({ mails: { settings, test }, to }: { mails: Mails; to: string }) {
  const admin = useAdminTexts()
  const t = admin.contacts.mail
  const notices = useNotices()
  const change = useChangeMailSettings()
  const sendTest = useSendTestMail()
  // Set in the event: the mutation becomes pending one render later, and the box would flicker.
  const [chosen, setChosen] = useState<boolean>()
  const { acknowledges: saved } = settings
  // Not with the answer: the settings are shown a render later.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change that matters.
  useEffect(() => setChosen(undefined), [saved])
  const toggle = (acknowledges: boolean) => {
    setChosen(acknowledges)
    change.mutate(
      { acknowledges },
      {
        onSuccess: () => notices.done(acknowledges ? t.acknowledges : t.acknowledgesNot),
        onError: (error) => {
          setChosen(undefined)
          notices.failed(error, withReason(t.changeFailed, error, admin))
        },
      },
    )
  }
  const isUnderWay = sendTest.isPending || (test?.state === 'waiting' && test.lastError === null)
  const tryIt = () =>
    !isUnderWay &&
    sendTest.mutate(undefined, { onError: (error) => notices.failed(error, withReason(t.testFailed, error, admin)) })
  return (
    <>
      <p className="mt-1 text-[0.9375rem] wrap-anywhere">{t.on(to)}</p>
      <Checkbox
        label={t.acknowledge}
        hint={t.acknowledgeHint}
        checked={chosen ?? saved}
        aria-disabled={change.isPending}
        onChange={({ currentTarget }) => !change.isPending && toggle(currentTarget.checked)}
      />
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button icon={Send} size="small" aria-disabled={isUnderWay} onClick={tryIt} className="aria-disabled:opacity-60">
          {isUnderWay ? t.testing : t.test}
        </Button>
        {/* Always rendered, so that screen readers announce the outcome. */}
        <p
          role="status"
          className={cn(
            'min-w-[min(15rem,100%)] flex-1 text-sm wrap-anywhere empty:hidden',
            test?.state === 'sent' && 'text-verdigris',
            (test?.state === 'failed' || test?.lastError) && 'text-oxide',
          )}
        >
          {test && testText(test, to, admin.contacts)}
        </p>
      </div>
    </>
  )
}

function testText({ state, lastError }: Mail, to: string, { mail, sending }: ReturnType<typeof useAdminTexts>['contacts']) {
  if (state === 'sent') return mail.tested.sent(to)
  if (state === 'failed') return mail.tested.failed(lastError ?? sending.noReason)
  return lastError ? mail.tested.waitingWhy(lastError) : mail.tested.waiting
}

type TroubledProps = { mails: Mail[]; onOpen(contactId: string): void; onGiveUp(mail: Mail): void }

function Troubled({ mails, onOpen, onGiveUp }: TroubledProps) {
  const { mail: t } = useAdminTexts().contacts
  return (
    <>
      <h4 className="mt-5 flex items-center gap-2 border-t border-(--line) pt-4 font-medium text-oxide">
        <TriangleAlert className="size-4" aria-hidden />
        {t.unsentTitle}
      </h4>
      <ul className="-mb-2">
        {mails.map((mail) => (
          <TroubledRow key={mail.id} mail={mail} onOpen={onOpen} onGiveUp={() => onGiveUp(mail)} />
        ))}
      </ul>
    </>
  )
}

function GiveUp({ mail, onClose }: { mail: Mail; onClose(): void }) {
  const t = useAdminTexts().contacts.mail
  const notices = useNotices()
  return (
    <ConfirmCall
      call={useDismissMail()}
      input={mail.id}
      title={t.discardTitle}
      text={t.discardText}
      action={t.discard}
      busy={t.discard}
      failed={t.discardFailed}
      onDone={() => notices.done(t.discarded)}
      onClose={onClose}
    >
      <Asked>{`${mail.subject} (${t.to(mail.to)})`}</Asked>
    </ConfirmCall>
  )
}

type RowProps = { mail: Mail; onOpen(contactId: string): void; onGiveUp(): void }

function TroubledRow({ mail, onOpen, onGiveUp }: RowProps) {
  const admin = useAdminTexts()
  const { mail: t, sending } = admin.contacts
  const { retry, isRetrying } = useRetry()
  const { contactId } = mail
  const isWaiting = mail.state === 'waiting'
  const when = mail.attempts === 0 ? sending.retrying : t.tried(mail.attempts, dateIn(admin, mail.nextAttemptAt, 'minute'))
  return (
    <li className="border-b border-(--line) py-3 last:border-b-0">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-[0.9375rem] wrap-anywhere">
        <Badge>{t.kinds[mail.kind]}</Badge>
        {t.to(mail.to)}
      </p>
      <p className="mt-1 text-[0.9375rem] font-medium wrap-anywhere">{mail.subject}</p>
      <p className="mt-1 text-sm wrap-anywhere text-oxide">
        {isWaiting
          ? sending.waitingWhy(mail.lastError ?? sending.noReason)
          : sending.failed(mail.lastError ?? sending.noReason)}
      </p>
      <p className="mt-0.5 text-sm text-(--quiet)">{isWaiting ? when : t.noRetry}</p>
      <div className="mt-2 flex flex-wrap gap-x-2 gap-y-1">
        <Button
          icon={RotateCcw}
          size="small"
          aria-label={t.retryOf(mail.subject)}
          disabled={isRetrying}
          onClick={() => retry(mail.id)}
        >
          {admin.common.retry}
        </Button>
        <Button tone="quiet" size="small" aria-label={t.discardOf(mail.subject)} onClick={onGiveUp}>
          {t.discard}
        </Button>
        {contactId && (
          <Button tone="quiet" size="small" onClick={() => onOpen(contactId)}>
            {t.openMessage}
          </Button>
        )}
      </div>
    </li>
  )
}
