import { Tabs } from 'radix-ui'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type SectionName, sectionNames } from '#contract/site-fields.ts'
import { useMedia } from '../../ui/use-media.ts'
import { useYourSiteTexts } from '../texts.ts'
import { Conflicts } from './conflicts.tsx'
import { conflictsIn, openFields, sectionOf } from './draft.rules.ts'
import type { EditorProps } from './later-editor.tsx'
import { Preview } from './preview.tsx'
import { PublishBar } from './publish-bar.tsx'
import { PublishedLine } from './published-line.tsx'
import { SectionCard } from './section-card.tsx'
import { SiteContext } from './site-context.ts'

const views = ['edit', 'preview'] as const
type View = (typeof views)[number]

/** The sections of the page beside the page itself; where there is no room for both, one of the two at a time. */
export function Editor({ site, first }: EditorProps) {
  const t = useYourSiteTexts()
  const { content, typed } = site
  const [section, setSection] = useState<SectionName | undefined>(first)
  const [view, setView] = useState<View>('edit')
  const isWide = useMedia('(width >= 72rem)')
  const cards = useRef<HTMLOListElement>(null)
  const open = openFields(content, typed)
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
  /** The first of its texts that something is not right with. */
  const showFault = (name: SectionName) => {
    show(name)
    requestAnimationFrame(() => cards.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  useEffect(() => {
    // Later, because the dialog first takes the focus itself, and remembers where it was.
    const frame = requestAnimationFrame(() => bringUp(first))
    return () => cancelAnimationFrame(frame)
  }, [first, bringUp])

  const edit = (
    <div className="mx-auto max-w-4xl px-5 py-6 sm:px-8">
      <div className="mb-5 text-[0.9375rem]">
        <PublishedLine published={content.published} />
      </div>
      <ol ref={cards} className="grid gap-3">
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
  const preview = <Preview of="draft" revision={content.revision} {...(section && { section })} />
  const rest = (
    <>
      {conflicts.length > 0 && <Conflicts conflicts={conflicts} site={site} />}
      <PublishBar site={site} count={open.length} onShow={showFault} />
    </>
  )
  if (isWide) {
    return (
      <SiteContext value={site}>
        <div className="flex min-h-0 flex-[1_999_100dvh]">
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">{edit}</div>
          <div className="flex w-[44%] shrink-0 flex-col border-l border-(--line)">{preview}</div>
        </div>
        {rest}
      </SiteContext>
    )
  }
  return (
    <SiteContext value={site}>
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
      {rest}
    </SiteContext>
  )
}
