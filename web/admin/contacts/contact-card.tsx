import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Reply, ShieldCheck, Trash2 } from 'lucide-react'
import { type ReactElement, type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Contact, type ContactMessage, contactStates, projectTypeName } from '#contract/contacts.admin.ts'
import { defaultLanguage } from '#contract/languages.ts'
import { useLanguage } from '../../language/language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuChoice } from '../../ui/menu.tsx'
import { Thumbnail } from '../photos/thumbnail.tsx'
import { dateIn, letterIn, useAdminTexts } from '../texts.ts'
import { answerTime } from './contact.rules.ts'
import { newsQuery, photoAddress, useMark } from './contact-calls.ts'
import { ContactNote, NoteButton, useNote } from './contact-note.tsx'
import { ContactReplies, ReplyBox } from './contact-replies.tsx'
import { mailsQuery } from './mail-calls.ts'
import { mailtoOf } from './reply.rules.ts'
import { unsentReplies } from './unsent.ts'

type Props = {
  contact: Contact
  /** The checkbox, in a list of several. */
  tick?: ReactElement
  onDelete(contact: Contact): void
}

/** A whole message with its state, replies and actions. */
export function ContactCard({ contact, tick, onDelete }: Props) {
  const t = useAdminTexts()
  const { name, about, state, spamReason, photos } = contact
  const note = useNote(contact)
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
          <ContactHead contact={contact}>
            <StateBadge contact={contact} />
          </ContactHead>
        </div>
        <div className={cn('min-w-0', tick && 'col-span-2 sm:col-span-1 sm:col-start-2')}>
          {about && <About about={about} />}
          {state === 'spam' && <p className="mt-2 text-sm text-oxide">{t.contacts.spamReasons[spamReason ?? 'flood']}</p>}
          <p className="mt-3 whitespace-pre-line wrap-anywhere">{contact.message}</p>
          {photos.length > 0 && <Photos contact={contact} />}
          <ContactReplies contact={contact} />
          <ContactNote contact={contact} note={note} />
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
              <NotSpam contact={contact} />
            ) : (
              <>
                {!replying && <ReplyButton contact={contact} onReply={() => setReplying('asked')} />}
                <MarkMenu contact={contact} />
              </>
            )}
            <NoteButton contact={contact} note={note} />
            <IconButton
              label={t.messages.delete(name)}
              tip={t.messages.deleteTip}
              onClick={() => onDelete(contact)}
              className="ml-auto hover:text-oxide"
            >
              <Trash2 aria-hidden />
            </IconButton>
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

const tones = { answered: 'done', quoted: 'done', closed: 'plain', spam: 'warning' } as const

/** The time left to answer a new message; the state of any other. */
function StateBadge({ contact: { state, createdAt } }: { contact: Contact }) {
  const { contacts: t } = useAdminTexts()
  const { data: news } = useQuery(newsQuery)
  if (state !== 'new') return <Badge tone={tones[state]}>{t.states[state]}</Badge>
  if (!news || !createdAt) return <Badge tone="accent">{t.states.new}</Badge>
  const { isOverdue, isUrgent, span } = answerTime(createdAt, news.now)
  if (isOverdue) return <Badge tone="danger">{t.overdue(span)}</Badge>
  return <Badge tone={isUrgent ? 'urgent' : 'accent'}>{t.left(span)}</Badge>
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

/** In the panel when mail is set up, else by a mailto link, after which the site cannot tell whether a mail was sent. */
function ReplyButton({ contact, onReply }: { contact: Contact; onReply(): void }) {
  const t = useAdminTexts()
  const { data: mails } = useQuery(mailsQuery)
  const { mark } = useMark(contact)
  const isWaiting = contact.state === 'new'
  const looks = { size: 'small', tone: isWaiting ? 'plain' : 'quiet' } as const
  const className = isWaiting ? 'mr-1' : '-ml-3 sm:-ml-4'
  const { brand } = useLanguage().maker
  const label = { 'aria-label': t.messages.reply(contact.name), 'data-reply': '' }
  const content = (
    <>
      <Reply aria-hidden />
      {t.messages.replyShort}
    </>
  )
  if (mails?.setUp) {
    return (
      <Button {...looks} {...label} onClick={onReply} className={className}>
        {content}
      </Button>
    )
  }
  return (
    <a
      href={mailtoOf(contact, letterIn(contact.language ?? defaultLanguage, brand))}
      {...label}
      onClick={() => isWaiting && mark('answered', t.contacts.reply.byMail)}
      className={cn(buttonClasses(looks), className, 'max-sm:px-3')}
    >
      {content}
    </a>
  )
}

function MarkMenu({ contact }: { contact: Contact }) {
  const { contacts: t } = useAdminTexts()
  const { isMarking, mark } = useMark(contact)
  return (
    <Menu
      button={
        <Button tone="quiet" size="small" aria-label={t.markOf(contact.name)} aria-disabled={isMarking}>
          {t.mark}
          <ChevronDown aria-hidden />
        </Button>
      }
    >
      <MenuChoice value={contact.state} choices={contactStates.map((state) => [state, t.states[state]])} onChoose={mark} />
    </Menu>
  )
}

function NotSpam({ contact }: { contact: Contact }) {
  const { contacts: t } = useAdminTexts()
  const { isMarking, mark } = useMark(contact)
  return (
    <Button
      size="small"
      aria-label={t.notSpamOf(contact.name)}
      aria-disabled={isMarking}
      onClick={() => mark('new', t.noSpam(contact.name))}
      className="mr-1"
    >
      <ShieldCheck aria-hidden />
      {t.notSpam}
    </Button>
  )
}

/** Name, date and subject. */
export function ContactHead({ contact, children }: { contact: ContactMessage; children?: ReactNode }) {
  const t = useAdminTexts()
  const { name, email, createdAt, projectType } = contact
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h3 className="text-[1.1875rem] leading-snug wrap-anywhere">{name}</h3>
        {projectType && <Badge>{projectTypeName(t.projectTypes, projectType)}</Badge>}
        {children}
      </div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm text-(--quiet)">
        <p className="wrap-anywhere">{email}</p>
        <p className="font-mono text-[0.8125rem]">
          {createdAt ? <time dateTime={createdAt}>{dateIn(t, createdAt, 'minute')}</time> : t.messages.noDate}
        </p>
      </div>
    </>
  )
}
