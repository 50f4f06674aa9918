import { useQuery } from '@tanstack/react-query'
import { RotateCcw, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Mail, Mails } from '#contract/mails.ts'
import { useLanguage } from '../../language/language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { goTo } from '../block.tsx'
import { Asked, ConfirmCall } from '../confirm-call.tsx'
import { ReadAgain } from '../list.tsx'
import { openSettings } from '../settings/settings-calls.ts'
import { dateIn, useAdminTexts } from '../texts.ts'
import { mailsQuery, useChangeMailSettings, useDismissMail, useRetry } from './contact-calls.ts'

const place = 'mail-part'

/** For links from other parts of the dashboard. */
export const goToMail = () => goTo('02', { target: place, block: 'center' })

/** Who is told of messages, and the mails that failed. */
export function MailPart({ onOpen }: { onOpen(contactId: string): void }) {
  const t = useAdminTexts().contacts.mail
  const query = useQuery(mailsQuery)
  const { data: mails, isError } = query
  useKeepLanguage(mails)
  const dismiss = useDismissMail()
  const [givingUp, setGivingUp] = useState<Mail>()
  const to = mails?.setUp?.to
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
      {mails ? (
        <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="min-w-[min(15rem,100%)] flex-1 text-[0.9375rem] wrap-anywhere">{to ? t.on(to) : t.off}</p>
          <Button onClick={() => openSettings('mail')}>{to ? t.settings : t.setUp}</Button>
        </div>
      ) : isError ? (
        <ReadAgain query={query} failed={t.failed} />
      ) : (
        <div data-slot="loading" className="mt-3 h-10 animate-pulse bg-bone-line/50">
          <p role="status" className="sr-only">
            {t.loading}
          </p>
        </div>
      )}
      {mails && mails.troubled.length > 0 && (
        <>
          <h4 className="mt-5 flex items-center gap-2 border-t border-(--line) pt-4 font-medium text-oxide">
            <TriangleAlert className="size-4" aria-hidden />
            {t.unsentTitle}
          </h4>
          <ul className="-mb-2">
            {mails.troubled.map((mail) => (
              <TroubledRow key={mail.id} mail={mail} onOpen={onOpen} onGiveUp={() => setGivingUp(mail)} />
            ))}
          </ul>
        </>
      )}
      {givingUp && (
        <ConfirmCall
          call={dismiss}
          input={givingUp.id}
          title={t.discardTitle}
          text={t.discardText}
          action={t.discard}
          busy={t.discard}
          failed={t.discardFailed}
          onDone={() => t.discarded}
          onClose={() => setGivingUp(undefined)}
        >
          <Asked>{`${givingUp.subject} (${t.to(givingUp.to)})`}</Asked>
        </ConfirmCall>
      )}
    </section>
  )
}

/** Mails to the maker are in the language the panel was last used in. */
function useKeepLanguage(mails: Mails | undefined) {
  const { language } = useLanguage()
  const { mutate } = useChangeMailSettings()
  const differs = mails !== undefined && mails.settings.language !== language
  // When it fails, the next visit tries again.
  useEffect(() => {
    if (differs) mutate({ language })
  }, [differs, language, mutate])
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
        <Button icon={RotateCcw} aria-label={t.retryOf(mail.subject)} disabled={isRetrying} onClick={() => retry(mail.id)}>
          {admin.common.retry}
        </Button>
        <Button tone="quiet" aria-label={t.discardOf(mail.subject)} onClick={onGiveUp}>
          {t.discard}
        </Button>
        {contactId && (
          <Button tone="quiet" onClick={() => onOpen(contactId)}>
            {t.openMessage}
          </Button>
        )}
      </div>
    </li>
  )
}
