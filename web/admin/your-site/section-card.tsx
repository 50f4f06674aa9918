import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { type SectionName, sectionNames } from '#contract/site-fields.ts'
import { Badge } from '../../ui/badge.tsx'
import { cn } from '../../ui/cn.ts'
import { useYourSiteTexts } from '../texts.ts'
import { groupsIn } from './draft.rules.ts'
import { RuleField } from './rule-field.tsx'

type Props = {
  section: SectionName
  isOpen: boolean
  /** How many of its fields are not published. */
  open: number
  onToggle(): void
}

export function SectionCard({ section, isOpen, open, onToggle }: Props) {
  const t = useYourSiteTexts()
  const id = useId()
  const { name, text } = t.sections[section]
  return (
    <li data-section={section} className="scroll-mt-4 border border-(--line) bg-(--raised)">
      <h3 className="font-text">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={onToggle}
          className="flex min-h-16 w-full items-center gap-4 px-4 py-3 text-left tracking-normal transition-colors hover:bg-bone sm:px-6"
        >
          <span aria-hidden="true" className="lettering text-(--accent)">
            {String(sectionNames.indexOf(section) + 1).padStart(2, '0')}
          </span>
          <span className="mr-auto min-w-0">
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1 font-display text-xl leading-tight wrap-anywhere">
              {name}
              {open > 0 && <Badge tone="accent">{t.openIn(open)}</Badge>}
            </span>
            <span className="mt-0.5 block text-sm leading-snug text-(--quiet)">{text}</span>
          </span>
          <ChevronDown
            className={cn('size-5 shrink-0 text-(--quiet) transition-transform', isOpen && 'rotate-180')}
            aria-hidden
          />
        </button>
      </h3>
      {isOpen && (
        <div id={id} className="divide-y divide-(--line) border-t border-(--line) px-4 sm:px-6">
          {groupsIn(section).map((group) => (
            <RuleGroup key={group[0]} group={group} />
          ))}
        </div>
      )}
    </li>
  )
}

function RuleGroup({ group }: { group: ReturnType<typeof groupsIn>[number] }) {
  return (
    <div className="grid gap-5 py-5 empty:hidden">
      {group.map((name) => (
        <RuleField key={name} name={name} />
      ))}
    </div>
  )
}
