import { type FormEvent, useId } from 'react'
import { signInPath } from '#contract/first-visit.ts'
import { useLanguage } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { Brand } from './brand.tsx'
import { instead, scrollToSection } from './navigate.ts'
import { MaybeLink, SocialLinks } from './social-links.tsx'

const quickLinks = ['gallery', 'about', 'contact'] as const

export function Footer() {
  const { texts, maker, link } = useLanguage()
  const {
    tagline,
    quickLinks: title,
    commissionInfo,
    newsletterTitle,
    newsletterText,
    newsletterLabel,
    newsletterAction,
    copyright,
    admin,
  } = texts.footer
  const emailId = useId()
  const clear = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    event.currentTarget.reset()
  }
  return (
    <footer className="on-ink lazy border-t border-ink-line [--height:50rem] md:[--height:38rem] lg:[--height:26rem]">
      <div
        className={cn(
          'page-width grid grid-cols-1 gap-12 py-14 md:grid-cols-2 md:py-16 print:hidden',
          !maker.hidden.newsletter && 'lg:grid-cols-[1.4fr_1fr_1.4fr]',
        )}
      >
        <div className="min-w-0">
          <h2>
            <Brand />
          </h2>
          <p className="mt-5 max-w-[36ch] text-(--quiet)">{tagline}</p>
          <div className="mt-5">
            <SocialLinks />
          </div>
        </div>
        <nav aria-label={title}>
          <h3 className="lettering text-(--accent)">{title}</h3>
          <ul className="mt-3">
            {quickLinks.map((id) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  onClick={instead(() => scrollToSection(id))}
                  className="inline-flex min-h-11 items-center text-bone/85 hover:text-bone hover:underline"
                >
                  {texts.navigation[id]}
                </a>
              </li>
            ))}
            <li>
              <MaybeLink
                href={maker.links.commissionInfo}
                className="inline-flex min-h-11 items-center text-bone/85 hover:text-bone"
              >
                {commissionInfo}
              </MaybeLink>
            </li>
          </ul>
        </nav>
        {!maker.hidden.newsletter && (
          <div className="min-w-0 md:col-span-2 lg:col-span-1">
            <h3 className="lettering text-(--accent)">{newsletterTitle}</h3>
            <p className="mt-4 max-w-[42ch] text-(--quiet)">{newsletterText}</p>
            <form method="dialog" onSubmit={clear} noValidate className="mt-5 flex max-w-md flex-wrap gap-2">
              <label htmlFor={emailId} className="sr-only">
                {newsletterLabel}
              </label>
              <input
                id={emailId}
                name="email"
                type="email"
                autoComplete="email"
                placeholder={newsletterLabel}
                className="h-12 min-w-0 flex-[1_1_9rem] rounded-[2px] border border-ink-quiet/60 bg-transparent px-4 placeholder:text-ink-quiet"
              />
              <Button size="large" type="submit">
                {newsletterAction}
              </Button>
            </form>
          </div>
        )}
      </div>
      <div className="border-t border-ink-line">
        <div className="page-width flex items-center justify-between py-4 text-sm text-(--quiet) print:hidden">
          <p className="min-w-0">{copyright}</p>
          <a href={link(signInPath)} title={admin} className="grid size-11 place-items-center">
            <span className="sr-only">{admin}</span>
            <span aria-hidden="true" className="size-1.5 rounded-full bg-ink-quiet" />
          </a>
        </div>
      </div>
    </footer>
  )
}
