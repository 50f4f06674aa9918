import { type ReactNode, useEffect } from 'react'
import { useLanguage } from '../language/language.tsx'
import { LanguagePicker } from '../language/picker.tsx'
import { Brand } from '../site/page/brand.tsx'
import { cn } from '../ui/cn.ts'
import { useAdminTexts } from './texts.ts'

type Props = { actions?: ReactNode; nav?: ReactNode; className?: string; children: ReactNode }

export function Shell({ actions, nav, className, children }: Props) {
  const t = useAdminTexts()
  const { maker, link } = useLanguage()
  return (
    <div className="on-bone flex min-h-svh flex-col">
      <header className="on-ink sticky top-0 z-40 border-b border-ink-line [@media(height<30rem)]:static">
        <div className="mx-auto flex min-h-16 max-w-[82rem] flex-wrap items-center gap-1 px-5 max-sm:[&_svg:has(+.lettering)]:hidden sm:gap-3 sm:px-8 lg:px-12">
          <a
            href={link('/')}
            aria-label={`${maker.brand}, ${t.common.viewSite}`}
            // A long name shrinks before the buttons do.
            className="mr-auto flex h-11 min-w-0 flex-[1_1_4rem] items-center [&_span_span]:line-clamp-2 [&_span_span]:wrap-anywhere"
          >
            <Brand />
          </a>
          <LanguagePicker />
          {actions}
        </div>
      </header>
      {nav}
      <main className={cn('flex-1', className)}>{children}</main>
    </div>
  )
}

/** As the `ref` of what takes the focus when it appears. */
export const takeFocus = (element: HTMLElement | null) => element?.focus()

/** With the number of new messages: "(2) Admin Dashboard · Vitrina". */
export function useTitle(title: string, waiting = 0) {
  const { brand } = useLanguage().maker
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title} · ${brand}`
  }, [title, waiting, brand])
}
