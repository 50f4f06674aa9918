import { useLanguage } from '../../language/language.tsx'
import { Drawing } from '../../ui/drawing.tsx'

const drawings = {
  instagram: [
    'Instagram',
    'M7 3h10a4 4 0 0 1 4 4v10a4 4 0 0 1-4 4H7a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4zM12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM17.200 6.800h.01',
  ],
  facebook: ['Facebook', 'M15 3h-2a4 4 0 0 0-4 4v14M5.500 12H14'],
  youtube: [
    'YouTube',
    'M4 6h16a1.500 1.500 0 0 1 1.500 1.500v9A1.500 1.500 0 0 1 20 18H4a1.500 1.500 0 0 1-1.500-1.500v-9A1.500 1.500 0 0 1 4 6zM10 9.500v5l4.500-2.500z',
  ],
  pinterest: [
    'Pinterest',
    'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM10 19l2.500-10M9 13c-1.500-3 0-5.500 3-5.500s4.500 2 4 4.500-3 4-5 2',
  ],
} as const

const networks = ['instagram', 'facebook', 'youtube', 'pinterest'] as const

/** Links to the maker's pages on other sites: all of them while none has an address, then those that have one. */
export function SocialLinks() {
  const { maker } = useLanguage()
  const linked = networks.filter((network) => maker.links[network])
  return (
    <ul className="-ml-3 flex flex-wrap gap-1">
      {(linked.length > 0 ? linked : networks).map((network) => {
        const [name, path] = drawings[network]
        return (
          <li key={network}>
            <MaybeLink
              href={maker.links[network]}
              label={name}
              className="grid size-11 place-items-center rounded-[2px] text-(--quiet) hover:text-(--accent)"
            >
              <Drawing d={path} strokeWidth="1.5" className="size-5" />
            </MaybeLink>
          </li>
        )
      })}
    </ul>
  )
}

type MaybeLinkProps = { href: string; label?: string; className?: string; children: React.ReactNode }

/** Without a target it has no `href`: `#` would scroll the page. */
export function MaybeLink({ href, label, className, children }: MaybeLinkProps) {
  if (href) {
    return (
      <a href={href} aria-label={label} className={className} rel="noopener" target="_blank">
        {children}
      </a>
    )
  }
  return (
    <a role="link" aria-disabled="true" aria-label={label} title={label} className={className}>
      {children}
    </a>
  )
}
