import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLanguage } from '../language/language.tsx'
import { shownLanguage } from '../language/texts.ts'
import type { AboutProject, SentForm } from '../page.ts'
import { toast } from '../ui/toast-store.ts'
import { readContactDraft } from './contact-draft.ts'
import { useLatePart } from './static-part.tsx'

type Loaded = typeof import('./contact-form.tsx')

let arrive = (_: Loaded) => {}
const arrived = new Promise<Loaded>((resolve) => {
  arrive = resolve
})
let ready = () => {}
const taken = new Promise<void>((resolve) => {
  ready = resolve
})

/** Until then, and where it cannot be fetched, the form stays as the server has sent it and is sent by the browser itself. */
export async function loadContactForm() {
  const form = await import('./contact-form.tsx')
  await form.contactFormTexts.load(shownLanguage())
  arrive(form)
}

const ContactForm = import.meta.env.SSR
  ? (await import('./contact-form.tsx')).ContactForm
  : lazy(async () => ({ default: (await arrived).ContactForm }))

/** A line that has gone silent must not hold a message back. */
function withinSeconds(loaded: Promise<void>) {
  return Promise.race([loaded, new Promise<never>((_, reject) => setTimeout(reject, 8_000))])
}

type Props = { about: AboutProject | undefined; sentForm: SentForm | undefined }

/** The script of the form is not part of the first visit's: it is fetched when the form comes near, or has something to restore. */
export function LaterContactForm(props: Props) {
  const { texts } = useLanguage()
  const place = useRef<HTMLDivElement>(null)
  const isTaken = useRef(false)
  // The same at every rendering: see static-part.tsx.
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
