import { Tabs } from 'radix-ui'
import { useCallback, useEffect, useRef, useState } from 'react'
import { defaultOf } from '#content/site-defaults.ts'
import { partsOfField, ruleOfField, type SectionName, type SiteField, sectionNames } from '#contract/site-fields.ts'
import { useLanguage } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { useMedia } from '../../ui/use-media.ts'
import { Trouble } from '../action-error.tsx'
import { ConflictDialog } from '../conflict/conflict-dialog.tsx'
import { Dialog } from '../dialog.tsx'
import { LanguageSwitch, useShownLanguage } from '../language-switch.tsx'
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
import { type Conflict, conflictsIn, fieldNow, halfOriginal, photoOf, sectionOf } from './site-draft.rules.ts'
import { SiteContext } from './text-field.tsx'

type EditorProps = { site: ReadDraft; first: SectionName; onClose(): void }

const views = ['edit', 'preview'] as const
type View = (typeof views)[number]

/** The sections beside the preview; on narrow screens one of the two at a time. */
export function Editor({ site, first, onClose }: EditorProps) {
  const t = useYourSiteTexts()
  const isOwner = useIsOwner()
  const { content, typed } = site
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
  const { unpublished: open } = site
  const conflicts = conflictsIn(content, typed)

  const bringUp = useCallback((name: SectionName) => {
    const card = cards.current?.querySelector<HTMLElement>(`[data-section="${name}"]`)
    card?.querySelector('button')?.focus({ preventScroll: true })
    card?.scrollIntoView({ block: 'start', behavior: 'instant' })
  }, [])
  const show = (name: SectionName) => {
    setView('edit')
    setSection(name)
    requestAnimationFrame(() => bringUp(name))
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
    const frame = requestAnimationFrame(() => bringUp(first))
    return () => cancelAnimationFrame(frame)
  }, [first, bringUp])

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
        onFocus={({ target }) => setEdited(target instanceof HTMLTextAreaElement || isText(target) ? target.value : '')}
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
        {isWide ? (
          <div className="flex min-h-0 flex-[1_999_100dvh]">
            <div
              className={cn('min-h-0 shrink-0 overflow-y-auto overscroll-contain', shown === 'all' ? 'w-[56%]' : 'w-[32rem]')}
            >
              {edit}
            </div>
            <div className="flex min-w-0 flex-1 flex-col border-l border-(--line)">{preview}</div>
          </div>
        ) : (
          <Tabs.Root
            value={view}
            onValueChange={(next) => setView(views.find((each) => each === next) ?? 'edit')}
            className="flex min-h-0 flex-[1_999_100dvh] flex-col"
          >
            <Tabs.List aria-label={t.tabs.label} className="grid shrink-0 grid-cols-2 border-b border-(--line)">
              {views.map((each) => (
                <Tabs.Trigger
                  key={each}
                  value={each}
                  className="min-h-12 border-b-3 border-transparent font-medium text-(--quiet) data-[state=active]:border-brass data-[state=active]:text-ink"
                >
                  {t.tabs[each]}
                </Tabs.Trigger>
              ))}
            </Tabs.List>
            <Tabs.Content
              value="edit"
              forceMount
              tabIndex={-1}
              hidden={view !== 'edit'}
              className="min-h-0 flex-1 overflow-y-auto overscroll-contain outline-none"
            >
              {edit}
            </Tabs.Content>
            <Tabs.Content value="preview" tabIndex={-1} className="min-h-0 flex-1 outline-none not-[[hidden]]:flex">
              {preview}
            </Tabs.Content>
          </Tabs.Root>
        )}
        {conflicts.length > 0 && <Conflicts conflicts={conflicts} site={site} />}
        <PublishBar site={site} count={open.length} onShow={showFault} onWrite={showField} />
      </SiteContext>
    </Dialog>
  )
}

/** Says that there are conflicts until of each field one value is chosen. */
function Conflicts({ conflicts, site }: { conflicts: readonly Conflict[]; site: ReadDraft }) {
  const { conflict: t, saving } = useYourSiteTexts()
  const { content, typed, draft } = site
  const nameOf = useFieldName()
  const [isChoosing, setChoosing] = useState(false)
  const choices = conflicts.map(({ field, mine, saved, author }) => ({
    name: field,
    label: nameOf(field),
    side: 'yours' as const,
    contested: false,
    savedBy: t.theirs(author),
    values: {
      yours: <Shown field={field} value={mine} content={content} typed={typed} />,
      saved: <Shown field={field} value={saved} content={content} typed={{}} />,
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

function isText(control: Element): control is HTMLInputElement {
  return control instanceof HTMLInputElement && !['radio', 'range', 'checkbox'].includes(control.type)
}

type ShownProps = { field: SiteField; value: string | null } & Pick<ReadDraft, 'content' | 'typed'>

function Shown({ field, value, content, typed }: ShownProps) {
  const { versions } = useYourSiteTexts()
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
