import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLanguage } from '../../language/language.tsx'
import type { AboutProject, SentForm } from '../../page.ts'
import { toast } from '../../ui/toast-store.ts'
import { useLatePart } from '../page/static-part.tsx'
import { readContactDraft } from './contact-draft.ts'

type Loaded = typeof import('./contact-form.tsx')

let arrive = (_: Loaded) => {}
const arrived = new Promise<Loaded>((resolve) => {
  arrive = resolve
})
let ready = () => {}
const taken = new Promise<void>((resolve) => {
  ready = resolve
})

/** Until it is loaded, and when that fails, the server-rendered form is submitted by the browser. */
export async function loadContactForm() {
  arrive(await import('./contact-form.tsx'))
}

const ContactForm = import.meta.env.SSR
  ? (await import('./contact-form.tsx')).ContactForm
  : lazy(async () => ({ default: (await arrived).ContactForm }))

/** Otherwise a stalled connection would hold the message back. */
function withinSeconds(loaded: Promise<void>) {
  return Promise.race([loaded, new Promise<never>((_, reject) => setTimeout(reject, 8_000))])
}

type Props = { about: AboutProject | undefined; sentForm: SentForm | undefined }

/** Not part of the first visit: the form's code is loaded when it comes near the screen, or when there is a draft to restore. */
export function LazyContactForm(props: Props) {
  const { texts } = useLanguage()
  const place = useRef<HTMLDivElement>(null)
  const isTaken = useRef(false)
  // The same element at every rendering: see static-part.tsx.
  const [form] = useState(() => {
    const takeOver = () => {
      isTaken.current = true
      ready()
    }
    return (
      <Suspense>
        <ContactForm {...props} onReady={takeOver} />
      </Suspense>
    )
  })
  const sayFailed = useEffectEvent(() => {
    const { failedTitle, failedText } = texts.contact.form
    toast({ tone: 'destructive', title: failedTitle, description: failedText })
  })
  useLatePart(taken)
  const hasContent = Boolean(props.about ?? props.sentForm)
  useEffect(() => {
    const load = () => loadContactForm().catch(() => {})
    if (hasContent || readContactDraft()) void load()
    const section = place.current?.closest('section')
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void load(), { rootMargin: '100%' })
    if (section) observer.observe(section)
    return () => observer.disconnect()
  }, [hasContent])
  useEffect(() => {
    const { dataset } = document.documentElement
    const hold = (event: SubmitEvent) => {
      const { target } = event
      if (isTaken.current || !(target instanceof HTMLFormElement)) return
      event.preventDefault()
      dataset.held = ''
      withinSeconds(loadContactForm().then(() => taken))
        .then(
          () => target.requestSubmit(),
          () => (navigator.onLine ? target.submit() : sayFailed()),
        )
        .finally(() => delete dataset.held)
    }
    const { current } = place
    current?.addEventListener('submit', hold)
    return () => current?.removeEventListener('submit', hold)
  }, [])
  return (
    <div ref={place} className="min-w-0">
      {form}
    </div>
  )
}
