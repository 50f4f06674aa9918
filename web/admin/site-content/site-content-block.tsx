import { ChevronRight, History, PencilLine } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type SectionName, sectionNames } from '#contract/site-fields.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Block } from '../block.tsx'
import { LazyDialog } from '../lazy.tsx'
import { ListStates } from '../list.tsx'
import { useYourSiteTexts } from '../texts.ts'
import { PublishedLine, SaveState } from './save-state.tsx'
import { type ReadDraft, useSiteDraft } from './site-calls.ts'
import { sectionOf } from './site-draft.rules.ts'

type Props = {
  className: string
  /** The section at which the editor opens. */
  editing: SectionName | undefined
  onEdit(section: SectionName | undefined): void
  /** How many fields differ from what visitors see. */
  onUnpublished(count: number): void
}

export function SiteContentBlock({ className, editing, onEdit, onUnpublished }: Props) {
  const t = useYourSiteTexts()
  const site = useSiteDraft()
  const [inVersions, setInVersions] = useState(false)
  const { content, typed, error, draft, unpublished: open } = site
  const read: ReadDraft | undefined = content && { ...site, content }
  const query = { data: read && [read], isError: !read && Boolean(error), refetch: draft.open }
  useEffect(() => onUnpublished(open.length), [onUnpublished, open.length])
  return (
    <Block
      number="03"
      title={t.title}
      className={className}
      actions={
        read && (
          <>
            <Button icon={History} tone="quiet" onClick={() => setInVersions(true)}>
              {t.versions.open}
            </Button>
            <Button icon={PencilLine} tone="brass" onClick={() => onEdit('brand')}>
              {t.edit}
            </Button>
          </>
        )
      }
    >
      <ListStates query={query} words={{ ...t, empty: t.failed }}>
        {() =>
          read && (
            <>
              <div className="border-b border-(--line) py-4">
                <PublishedLine published={read.content.published} />
                <p className={open.length > 0 ? 'mt-1 font-medium text-(--accent)' : 'mt-1 text-(--quiet)'}>
                  {open.length > 0 ? t.unpublished(open.length) : t.allPublished}
                </p>
                {Object.keys(typed).length > 0 && <SaveState site={read} onShow={onEdit} className="mt-2" />}
              </div>
              <ul
                aria-label={t.sectionsLabel}
                className="max-md:in-data-short:hidden sm:grid sm:grid-cols-2 sm:gap-x-6 lg:grid-cols-1 xl:grid-cols-2"
              >
                {sectionNames.map((section) => (
                  <SectionRow
                    key={section}
                    section={section}
                    open={open.filter((field) => sectionOf(field) === section).length}
                    onOpen={() => onEdit(section)}
                  />
                ))}
              </ul>
            </>
          )
        }
      </ListStates>
      {editing && read && <LazyDialog part="Editor" props={{ site: read, first: editing, onClose: () => onEdit(undefined) }} />}
      {inVersions && read && <LazyDialog part="VersionsDialog" props={{ site: read, onClose: () => setInVersions(false) }} />}
    </Block>
  )
}

function SectionRow({ section, open, onOpen }: { section: SectionName; open: number; onOpen(): void }) {
  const t = useYourSiteTexts()
  const { name, text } = t.sections[section]
  return (
    <li className="border-b border-(--line)">
      <button
        type="button"
        onClick={onOpen}
        className="group flex min-h-14 w-full items-center gap-3 py-2 text-left transition-colors hover:text-(--accent)"
      >
        <span className="mr-auto min-w-0">
          <span className="block leading-snug font-medium wrap-anywhere">{name}</span>
          <span className="block text-[0.8125rem] leading-snug text-(--quiet)">{text}</span>
          {open > 0 && (
            <span className="mt-1 block">
              <Badge tone="accent">{t.openIn(open)}</Badge>
            </span>
          )}
        </span>
        <ChevronRight className="size-4 shrink-0 text-(--quiet) transition-transform group-hover:translate-x-0.5" />
      </button>
    </li>
  )
}
