import { useEffect, useRef, useState } from 'react'
import { defaultOf } from '#content/site-defaults.ts'
import { partsOfField, ruleOfField, type SectionName, type SiteField, sectionNames } from '#contract/site-fields.ts'
import { useLanguage } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { useMedia } from '../../ui/use-media.ts'
import { Trouble } from '../action-error.tsx'
import { ConflictDialog } from '../conflict/conflict-dialog.tsx'
import { Dialog } from '../dialog.tsx'
import { LanguageSwitch, Segments, useShownLanguage } from '../language-switch.tsx'
import { useIsOwner } from '../session.ts'
import { useYourSiteTexts } from '../texts.ts'
import { useFieldName, useShownValue } from './field-names.ts'
import { addressOf, pointOf } from './photo-part.tsx'
import { PhotoWithPoint } from './point-picker.tsx'
import { Preview } from './preview.tsx'
import { PublishBar } from './publish-bar.tsx'
import { PublishedLine } from './save-state.tsx'
import { SectionCard } from './section-fields.tsx'
import type { ReadDraft } from './site-calls.ts'
import { type Conflict, conflictsIn, fieldNow, halfOriginal, photoOf, sectionOf, type Typed } from './site-draft.rules.ts'
import { SiteContext, useSite } from './text-field.tsx'

type EditorProps = { site: ReadDraft; first: SectionName; onClose(): void }

/** Controls whose value is a text on the page. */
const writing = 'textarea, input:not([type="radio"], [type="range"], [type="checkbox"])'

const views = ['edit', 'preview'] as const
type View = (typeof views)[number]

/** The sections beside the preview; on narrow screens one of the two at a time. */
export function Editor({ site, first, onClose }: EditorProps) {
  const t = useYourSiteTexts()
  const isOwner = useIsOwner()
  const { content, typed, unpublished: open } = site
  const [section, setSection] = useState<SectionName | undefined>(first)
  const [view, setView] = useState<View>('edit')
  const isWide = useMedia('(width >= 72rem)')
  const panel = useLanguage()
  const languageSwitch = useShownLanguage()
  const { shown, show: showIn } = languageSwitch
  /** In the preview, while all languages are edited side by side. */
  const [seen, setSeen] = useState(panel.language)
  const [edited, setEdited] = useState('')
  const cards = useRef<HTMLOListElement>(null)
  const conflicts = conflictsIn(content, typed)

  const show = (name: SectionName) => {
    setView('edit')
    setSection(name)
    requestAnimationFrame(() => bringUp(cards.current, name))
  }
  const showFault = (name: SectionName) => {
    show(name)
    requestAnimationFrame(() => cards.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  const showField = (field: SiteField) => {
    const { language } = partsOfField(field)
    if (language && shown !== 'all') showIn(language)
    show(sectionOf(field))
    const focus = () => cards.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus()
    // Two frames: the dialog that is being closed gives the focus back first.
    requestAnimationFrame(() => requestAnimationFrame(focus))
  }
  const marks = Object.fromEntries(
    halfOriginal(content, typed).map((field) => [partsOfField(field).language ?? '', t.originalHere]),
  )
  useEffect(() => {
    // In the next frame: the dialog first takes the focus, and stores where it was.
    const frame = requestAnimationFrame(() => bringUp(cards.current, first))
    return () => cancelAnimationFrame(frame)
  }, [first])

  const edit = (
    <div className="mx-auto max-w-4xl px-5 pb-6 sm:px-8">
      <div className="sticky top-0 z-10 -mx-5 mb-5 border-b border-(--line) bg-bone px-5 py-2 sm:-mx-8 sm:px-8">
        <LanguageSwitch {...languageSwitch} marks={marks} className="max-sm:w-full" />
      </div>
      <div className="mb-5 text-[0.9375rem]">
        <PublishedLine published={content.published} />
      </div>
      <ol
        ref={cards}
        className="grid gap-3"
        onFocus={({ target }: { target: Element }) =>
          setEdited(target.matches(writing) ? (target as HTMLInputElement).value : '')
        }
      >
        {sectionNames.map((name) => (
          <SectionCard
            key={name}
            section={name}
            isOpen={section === name}
            open={open.filter((field) => sectionOf(field) === name).length}
            onToggle={() => (section === name ? setSection(undefined) : show(name))}
          />
        ))}
      </ol>
    </div>
  )
  const preview = (
    <Preview
      of="draft"
      revision={content.revision}
      {...(section && { section })}
      text={edited}
      firstScreen={isWide ? 'desktop' : 'phone'}
      language={shown === 'all' ? seen : shown}
      onLanguage={(language) => {
        setSeen(language)
        if (shown !== 'all') showIn(language)
      }}
    />
  )
  return (
    <Dialog onClose={onClose} title={t.title} description={isOwner ? t.text : t.textForHelpers} width="screen">
      <SiteContext value={{ ...site, shown }}>
        {!isWide && (
          <div className="shrink-0 border-b border-(--line) px-5 py-2 sm:px-8">
            <Segments<View>
              label={t.tabs.label}
              chosen={view}
              onChoose={setView}
              choices={views.map((value) => ({ value, label: t.tabs[value] }))}
              className="max-sm:w-full"
            />
          </div>
        )}
        <div className="flex min-h-0 flex-[1_999_100dvh]">
          <div
            hidden={!isWide && view === 'preview'}
            className={cn(
              'min-h-0 overflow-y-auto overscroll-contain',
              isWide ? cn('shrink-0', shown === 'all' ? 'w-[56%]' : 'w-[32rem]') : 'flex-1',
            )}
          >
            {edit}
          </div>
          {(isWide || view === 'preview') && (
            <div className={cn('flex min-w-0 flex-1 flex-col', isWide && 'border-l border-(--line)')}>{preview}</div>
          )}
        </div>
        {conflicts.length > 0 && <Conflicts conflicts={conflicts} />}
        <PublishBar onShow={showFault} onWrite={showField} />
      </SiteContext>
    </Dialog>
  )
}

function bringUp(cards: HTMLElement | null, name: SectionName) {
  const card = cards?.querySelector<HTMLElement>(`[data-section="${name}"]`)
  card?.querySelector('button')?.focus({ preventScroll: true })
  card?.scrollIntoView({ block: 'start', behavior: 'instant' })
}

/** Says that there are conflicts until of each field one value is chosen. */
function Conflicts({ conflicts }: { conflicts: readonly Conflict[] }) {
  const { conflict: t, saving } = useYourSiteTexts()
  const { typed, draft } = useSite()
  const nameOf = useFieldName()
  const [isChoosing, setChoosing] = useState(false)
  const choices = conflicts.map(({ field, mine, saved, author }) => ({
    name: field,
    label: nameOf(field),
    side: 'yours' as const,
    contested: false,
    savedBy: t.theirs(author),
    values: {
      yours: <Shown field={field} value={mine} typed={typed} />,
      saved: <Shown field={field} value={saved} typed={{}} />,
    },
  }))
  return (
    <>
      <Trouble title={t.title(conflicts.length)} text={t.text}>
        <Button onClick={() => setChoosing(true)}>{saving.choose}</Button>
      </Trouble>
      {isChoosing && (
        <ConflictDialog
          text={t.text}
          choices={choices}
          onCancel={() => setChoosing(false)}
          onSave={(sides) => {
            for (const { field } of conflicts) {
              if (sides[field] === 'saved') draft.takeSaved(field)
              else if (sides[field] === 'yours') draft.keepMine(field)
            }
            setChoosing(false)
          }}
        />
      )}
    </>
  )
}

function Shown({ field, value, typed }: { field: SiteField; value: string | null; typed: Typed }) {
  const { versions } = useYourSiteTexts()
  const { content } = useSite()
  const shown = useShownValue()
  const photo = photoOf(field)
  if (photo) {
    const image = fieldNow(content, typed, `photos.${photo}.image`).value
    const point = fieldNow(content, typed, `photos.${photo}.point`).value
    const address = addressOf(photo, image, 480)
    return address ? <PhotoWithPoint address={address} point={pointOf(photo, image, point)} /> : shown(field, '')
  }
  if (ruleOfField(field).kind === 'choice') return shown(field, value ?? defaultOf(field))
  return value === null ? versions.original : shown(field, value)
}
