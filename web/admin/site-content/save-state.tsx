import { Check, CloudOff, LoaderCircle, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SiteContent } from '#contract/site-content.ts'
import type { SectionName } from '#contract/site-fields.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { dateIn, sentenceOf, useAdminTexts, useYourSiteTexts } from '../texts.ts'
import type { ReadDraft } from './site-calls.ts'
import { conflictsIn, faultyIn, sectionOf, toSend } from './site-draft.rules.ts'

type Props = {
  site: ReadDraft
  onShow(section: SectionName): void
  /** Whether the conflicts are in view. */
  isChoiceShown?: boolean
  className?: string
}

export function SaveState({ site, onShow, isChoiceShown = false, className }: Props) {
  const t = useYourSiteTexts()
  const admin = useAdminTexts()
  const { content, typed, isSaving, error, draft } = site
  const faulty = faultyIn(typed)
  const [conflict] = conflictsIn(content, typed)
  const isUnsent = Object.keys(toSend(content, typed)).length > 0
  const show = (label: string, section: SectionName) => <LineButton onClick={() => onShow(section)}>{label}</LineButton>
  const said = (): ReactNode => {
    if (isSaving) return <Line icon={<LoaderCircle className="animate-spin" />}>{t.saving.pending}</Line>
    if (error && isUnsent) {
      return (
        <Line icon={<CloudOff />} tone="danger">
          {[t.saving.failed, sentenceOf(error, '', admin)].filter(Boolean).join('. ')}
          <LineButton onClick={() => void draft.flush()}>{admin.common.retry}</LineButton>
        </Line>
      )
    }
    if (isUnsent) return <Line icon={<LoaderCircle />}>{t.saving.pending}</Line>
    if (conflict) {
      return (
        <Line icon={<TriangleAlert />} tone="danger">
          {t.saving.conflict}
          {!isChoiceShown && show(t.saving.choose, sectionOf(conflict.field))}
        </Line>
      )
    }
    if (faulty[0]) {
      return (
        <Line icon={<TriangleAlert />} tone="danger">
          {t.saving.faulty(faulty.length)}
          {show(t.saving.show, sectionOf(faulty[0]))}
        </Line>
      )
    }
    return content.draft ? <Line icon={<Check />}>{t.saving.saved}</Line> : null
  }
  return (
    <div role="status" className={cn('min-w-0 text-sm', className)}>
      {said()}
    </div>
  )
}

function Line({ icon, tone, children }: { icon: ReactNode; tone?: 'danger'; children: ReactNode }) {
  return (
    <p
      className={cn(
        'flex items-start gap-x-2 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0',
        tone === 'danger' ? 'text-(--danger)' : 'text-(--quiet)',
      )}
    >
      {icon}
      <span className="min-w-0">{children}</span>
    </p>
  )
}

function LineButton({ onClick, children }: { onClick(): void; children: string }) {
  return (
    <Button tone="quiet" className="-my-3 px-2 underline underline-offset-4" onClick={onClick}>
      {children}
    </Button>
  )
}

type Published = Pick<SiteContent['published'], 'number' | 'author' | 'publishedAt'>

export function PublishedLine({ published }: { published: Published }) {
  const t = useYourSiteTexts()
  const said = useWhen()
  if (published.number === 0) return <p>{t.original}</p>
  return (
    <p>
      <span className="font-medium">{t.version(published.number)}</span>
      <span className="text-(--quiet)">{` · ${said(published)}`}</span>
    </p>
  )
}

export function useWhen() {
  const admin = useAdminTexts()
  const t = useYourSiteTexts()
  return ({ author, publishedAt }: Pick<Published, 'author' | 'publishedAt'>) => {
    if (!publishedAt) return t.original
    const when = dateIn(admin, publishedAt, 'minute')
    return author === null ? t.publishedFromBackup(when) : t.publishedBy(when, author)
  }
}
