import { useQuery } from '@tanstack/react-query'
import { type Contact, projectTypeName } from '#contract/contacts.admin.ts'
import { Badge } from '../../ui/badge.tsx'
import { dateIn, useAdminTexts } from '../texts.ts'
import { answerTime } from './contact.rules.ts'
import { newsQuery } from './contact-calls.ts'

/** Of a message or of a row of the recent ones. */
type Headed = Pick<Contact, 'name' | 'email' | 'createdAt' | 'projectType'> & { state?: Contact['state'] | undefined }

/** Name, date, subject and state. */
export function ContactHead({ contact }: { contact: Headed }) {
  const t = useAdminTexts()
  const { name, email, createdAt, projectType } = contact
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h3 className="text-[1.1875rem] leading-snug wrap-anywhere">{name}</h3>
        {projectType && <Badge>{projectTypeName(t.projectTypes, projectType)}</Badge>}
        {contact.state && <StateBadge state={contact.state} createdAt={createdAt} />}
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

const tones = { answered: 'done', quoted: 'done', closed: 'plain', spam: 'warning' } as const

/** The time left to answer a new message; the state of any other. */
function StateBadge({ state, createdAt }: Pick<Contact, 'state' | 'createdAt'>) {
  const { contacts: t } = useAdminTexts()
  const { data: news } = useQuery(newsQuery)
  if (state !== 'new') return <Badge tone={tones[state]}>{t.states[state]}</Badge>
  if (!news || !createdAt) return <Badge tone="accent">{t.states.new}</Badge>
  const { isOverdue, isUrgent, span } = answerTime(createdAt, news.now)
  if (isOverdue) return <Badge tone="danger">{t.overdue(span)}</Badge>
  return <Badge tone={isUrgent ? 'urgent' : 'accent'}>{t.left(span)}</Badge>
}
