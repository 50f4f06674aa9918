import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { categoryOf, type Filter } from '../../api/project-lists.ts'
import { useLanguage } from '../../language/language.tsx'
import { buttonClasses } from '../../ui/button.tsx'
import { instead, scrollToSection } from '../page/navigate.ts'
import { useOpenProjectTexts } from './open-project-texts.ts'

type Props = { filter: Filter; onClose(goingOn?: boolean): void }

/** For the address of a project that does not exist. */
export function GoneNotice({ filter, onClose }: Props) {
  const { texts, link } = useLanguage()
  const { gone } = useOpenProjectTexts()
  const notice = useRef<HTMLElement>(null)
  const pageTitle = texts.page.title
  useEffect(() => {
    document.title = pageTitle
  }, [pageTitle])
  useEffect(() => notice.current?.focus({ preventScroll: true }), [])
  const page = link('/', categoryOf(filter))
  const goToGallery = () => {
    onClose(true)
    scrollToSection('gallery')
  }
  return (
    <aside
      ref={notice}
      tabIndex={-1}
      aria-labelledby="gone"
      className="on-bone fixed inset-x-3 bottom-3 z-45 animate-[rise_300ms_var(--ease-settle)] rounded-[3px] p-6 pr-14 shadow-dialog outline-none sm:right-6 sm:bottom-6 sm:left-auto sm:max-w-md sm:p-8 sm:pr-16 print:hidden"
    >
      <div role="status">
        <h2 id="gone" className="text-2xl">
          {gone.title}
        </h2>
        <p className="mt-3 text-(--quiet)">{gone.text}</p>
      </div>
      <a href={`${page}#gallery`} onClick={instead(goToGallery)} className={`${buttonClasses({ size: 'large' })} mt-6`}>
        {gone.toGallery}
      </a>
      <a
        href={page}
        aria-label={gone.close}
        onClick={instead(() => onClose())}
        className={`${buttonClasses({ tone: 'quiet' })} absolute top-2 right-2 w-11 px-0`}
      >
        <X aria-hidden />
      </a>
    </aside>
  )
}
