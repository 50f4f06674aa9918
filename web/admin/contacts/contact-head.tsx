import type { ReactNode } from 'react'
import type { ContactMessage } from '#contract/contacts.admin.ts'
import { projectTypeName } from '#contract/contacts.admin.ts'
import { Badge } from '../../ui/badge.tsx'
import { dateIn, useAdminTexts } from '../texts.ts'

/** Who wrote, when, and about what. */
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
