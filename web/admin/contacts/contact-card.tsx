import { useQuery } from '@tanstack/react-query'
import { Check, ChevronDown, CircleHelp, Clock3, NotebookPen, Reply, RotateCcw, ShieldCheck, TriangleAlert } from 'lucide-react'
import { type ReactElement, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Contact, type ContactReply, contactStates } from '#contract/contacts.admin.ts'
import { useLanguage } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { DeleteButton } from '../../ui/icon-button.tsx'
import { Menu, MenuChoice } from '../../ui/menu.tsx'
import { Thumbnail } from '../photos/thumbnail.tsx'
import { useIsOwner } from '../session.ts'
import { dateIn, useAdminTexts } from '../texts.ts'
import { contactFollowed, photoAddress, useMark, useRetry } from './contact-calls.ts'
import { ContactNote, NoteEditor } from './contact-note.tsx'
import { ContactHead } from './contacts-block.tsx'
import { sendingOf, withoutQuote } from './reply.rules.ts'
import { ReplyBox } from './reply-box.tsx'
import { unsavedNotes, unsentReplies } from './unsent.ts'

type Props = {
  contact: Contact
  /** The checkbox, in a list of several. */
  tick?: ReactElement | undefined
  onDelete(contact: Contact): void
}

export function ContactCard({ contact, tick, onDelete }: Props) {
  const t = useAdminTexts()
  const { name, about, state, spamReason, photos, replies } = contact
  const isMailOnItsWay = replies.some(({ mail }) => mail?.state === 'waiting')
  useQuery({ ...contactFollowed(contact.id), enabled: isMailOnItsWay })
  const isOwner = useIsOwner()
  const [isNoting, setNoting] = useState(() => unsavedNotes.read(contact.id) !== undefined)
  const { isMarking, mark } = useMark(contact)
  const [replying, setReplying] = useState<'asked' | 'kept' | undefined>(() =>
    unsentReplies.read(contact.id) ? 'kept' : undefined,
  )
  const card = useRef<HTMLLIElement>(null)
  const closeReply = () => {
    flushSync(() => setReplying(undefined))
    card.current?.querySelector<HTMLElement>('[data-reply]')?.focus({ preventScroll: true })
  }
  return (
    <li ref={card} tabIndex={-1} className="-mx-4 px-4 outline-none focus:bg-brass/10">
      <div className={cn('border-b border-(--line) py-5', tick && 'grid grid-cols-[2.25rem_minmax(0,1fr)]')}>
        {tick}
        <div className="min-w-0">
          <ContactHead contact={contact} />
        </div>
        <div className={cn('min-w-0', tick && 'col-span-2 sm:col-span-1 sm:col-start-2')}>
          {about && <About about={about} />}
          {state === 'spam' && <p className="mt-2 text-sm text-oxide">{t.contacts.spamReasons[spamReason ?? 'flood']}</p>}
          <p className="mt-3 whitespace-pre-line wrap-anywhere">{contact.message}</p>
          {photos.length > 0 && <Photos contact={contact} />}
          {replies.map((reply) => (
            <SentReply key={reply.id} reply={reply} name={name} />
          ))}
          {isNoting ? (
            <NoteEditor contact={contact} onClose={() => setNoting(false)} />
          ) : (
            contact.note !== null && <ContactNote contact={contact} onEdit={() => setNoting(true)} />
          )}
          {replying && state !== 'spam' && (
            <ReplyBox
              contact={contact}
              takesFocus={replying === 'asked'}
              onClose={closeReply}
              onReturn={() => setReplying('asked')}
            />
          )}
          <div className="mt-3 -mb-2 flex flex-wrap items-center gap-x-1 max-sm:[&_button]:px-3">
            {state === 'spam' ? (
              <Button
                icon={ShieldCheck}
                aria-label={t.contacts.notSpamOf(name)}
                aria-disabled={isMarking}
                onClick={() => mark('new', t.contacts.noSpam(name))}
                className="mr-1"
              >
                {t.contacts.notSpam}
              </Button>
            ) : (
              <>
                {!replying && (
                  <Button
                    icon={Reply}
                    tone={state === 'new' ? 'plain' : 'quiet'}
                    aria-label={t.messages.reply(name)}
                    data-reply=""
                    onClick={() => setReplying('asked')}
                    className={state === 'new' ? 'mr-1' : '-ml-3 sm:-ml-4'}
                  >
                    {t.messages.replyShort}
                  </Button>
                )}
                <Menu
                  label={t.contacts.markOf(name)}
                  button={(menu) => (
                    <Button tone="quiet" aria-label={t.contacts.markOf(name)} aria-disabled={isMarking} {...menu}>
                      {t.contacts.mark}
                      <ChevronDown />
                    </Button>
                  )}
                >
                  <MenuChoice
                    value={state}
                    choices={contactStates.map((each) => [each, t.contacts.states[each]])}
                    onChoose={mark}
                  />
                </Menu>
              </>
            )}
            {contact.note === null && !isNoting && (
              <Button
                icon={NotebookPen}
                tone="quiet"
                data-note=""
                aria-label={t.contacts.note.addTo(name)}
                onClick={() => setNoting(true)}
              >
                <span className="max-sm:hidden">{t.contacts.note.add}</span>
              </Button>
            )}
            {isOwner && (
              <DeleteButton
                label={t.messages.delete(name)}
                tip={t.messages.deleteTip}
                onClick={() => onDelete(contact)}
                className="ml-auto"
              />
            )}
          </div>
        </div>
      </div>
    </li>
  )
}

function About({ about: { id, title } }: { about: NonNullable<Contact['about']> }) {
  const { contacts: t } = useAdminTexts()
  const { link } = useLanguage()
  return (
    <p className="mt-1 text-sm wrap-anywhere">
      {`${t.about}: `}
      <a
        href={link('/', { project: id })}
        target="_blank"
        rel="noreferrer"
        className="font-medium underline decoration-brass underline-offset-4 hover:decoration-2"
      >
        {title}
        <span className="sr-only"> {t.newTab}</span>
      </a>
    </p>
  )
}

function Photos({ contact: { name, photos: sent } }: { contact: Contact }) {
  const { contacts: t } = useAdminTexts()
  // The same photo may have been sent twice.
  const photos = [...new Set(sent.map(({ hash }) => hash))]
  return (
    <fieldset className="mt-4 flex flex-wrap gap-2">
      <legend className="sr-only">{t.photos(name)}</legend>
      {photos.map((hash, index) => (
        <a
          key={hash}
          href={photoAddress(hash)}
          target="_blank"
          rel="noreferrer"
          className="w-[calc(50%-0.25rem)] transition-opacity hover:opacity-85 sm:w-36"
        >
          <Thumbnail address={photoAddress(hash, 'small')} alt={t.photo(index + 1, photos.length, name)} />
          <span className="sr-only"> {t.newTab}</span>
        </a>
      ))}
    </fieldset>
  )
}

const looks = {
  sent: { Icon: Check, line: 'border-verdigris', text: 'text-verdigris' },
  waiting: { Icon: Clock3, line: 'border-(--quiet)', text: 'text-(--quiet)' },
  failed: { Icon: TriangleAlert, line: 'border-oxide', text: 'font-medium text-oxide' },
  unknown: { Icon: CircleHelp, line: 'border-(--line)', text: 'text-(--quiet)' },
} as const

function SentReply({ reply, name }: { reply: ContactReply; name: string }) {
  const t = useAdminTexts()
  const { sending: s, reply: r } = t.contacts
  const { retry, isRetrying } = useRetry()
  const { sentAt, mail, createdAt } = reply
  const sending = sendingOf(reply)
  const { Icon, line, text } = looks[sending]
  const reason = mail?.lastError
  const sentence = {
    sent: s.sent(dateIn(t, sentAt ?? createdAt, 'minute')),
    waiting: reason ? s.waitingWhy(reason) : s.waiting,
    failed: s.failed(reason ?? s.noReason),
    unknown: s.unknown,
  }[sending]
  return (
    <div className={cn('mt-4 border-l-2 pl-4', line)}>
      <p className="lettering text-(--quiet)">{r.yours}</p>
      <p className="mt-1 text-[0.9375rem] whitespace-pre-line wrap-anywhere">{withoutQuote(reply.text)}</p>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-4">
        {/* Announced when it changes. */}
        <p role="status" className={cn('flex min-w-0 items-start gap-1.5 py-1 text-sm wrap-anywhere', text)}>
          <Icon className="mt-0.5 size-4 shrink-0" />
          {sentence}
        </p>
        {sending === 'failed' && mail && (
          <Button icon={RotateCcw} aria-label={s.retryOf(name)} disabled={isRetrying} onClick={() => retry(mail.id)}>
            {t.common.retry}
          </Button>
        )}
      </div>
    </div>
  )
}
