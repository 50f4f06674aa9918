import { Send, TriangleAlert, X } from 'lucide-react'
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Texts } from '#content/en/site.ts'
import { contactFields, contactLimits, contactPath, contactPhotosPath, projectTypes } from '#contract/contact-fields.ts'
import type { sendContact, sendContactPhoto } from '#contract/contacts.ts'
import { addressed, type ReplyOf } from '#contract/endpoint.ts'
import { CallError, call } from '../../api/call.ts'
import { sendBytes } from '../../api/send-bytes.ts'
import { useLanguage } from '../../language/language.tsx'
import type { AboutProject, SentForm } from '../../page.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { Field, Input, Select, Textarea } from '../../ui/field.tsx'
import { loadToaster, toast } from '../../ui/toast-store.ts'
import { chooseAbout, isAboutChosen, typeOfCategory, useAbout } from '../model/about-model.ts'
import { navigate, queryNow, toForm } from '../page/navigate.ts'
import { keepContactDraft, readContactDraft } from './contact-draft.ts'
import {
  type ContactEntries,
  type ContactFaults,
  entriesOf,
  judgeContact,
  meantAddress,
  type Objection,
  objectionTo,
} from './contact-form.rules.ts'
import { useContactFormTexts } from './contact-form-texts.ts'
import { ContactPhotosField } from './contact-photos-field.tsx'
import { type ContactPhoto, holdPhotos } from './photo-queue.ts'
import { SentCard } from './sent-card.tsx'

const sending = addressed<typeof sendContact>('POST', contactPath)

/** In milliseconds. */
const timeouts = { rules: 3_000, answer: 30_000 }

/** The schema (and zod) is loaded when the form gets the focus. If it cannot be loaded, the server validates. */
const loadRules = () =>
  import('#contract/contacts.ts').then(
    ({ contactDraft }) => contactDraft,
    () => undefined,
  )

const rulesInTime = () =>
  Promise.race([loadRules(), new Promise<undefined>((resolve) => setTimeout(resolve, timeouts.rules, undefined))])

async function sendPhoto(file: File, how: { signal: AbortSignal; onProgress(part: number): void }) {
  const answer = await sendBytes(file, { method: 'POST', url: contactPhotosPath, ...how })
  return (JSON.parse(answer) as ReplyOf<typeof sendContactPhoto>).photo
}

type Outcome = Pick<SentForm, 'outcome' | 'photosLost' | 'sent'>

type Props = {
  /** From the server-rendered page. */
  about: AboutProject | undefined
  sentForm: SentForm | undefined
  /** The form is hydrated. */
  onReady(): void
}

/** A plain form that works without script; with it, the answer is shown in place. */
export function ContactForm({ about: arrivedAbout, sentForm, onReady }: Props) {
  const { texts, maker, language, link } = useLanguage()
  const t = texts.contact.form
  const words = useContactFormTexts()
  const form = useRef<HTMLFormElement>(null)
  const about = useAbout(arrivedAbout)
  const [photos] = useState(() => holdPhotos({ send: sendPhoto }))
  const [faults, setFaults] = useState<ContactFaults>(() => objectionTo(sentForm?.faults ?? [], t).faults)
  const [isReady, setReady] = useState(false)
  const [isSending, setSending] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | undefined>(sentForm)
  const [sentPhotos, setSentPhotos] = useState<readonly ContactPhoto[]>([])
  const [meant, setMeant] = useState<string>()
  const card = useRef<HTMLElement>(null)
  const isUnderWay = useRef(false)
  const isRestored = useRef(false)
  const submitButton = useRef<HTMLButtonElement>(null)

  // Who asks for another model writes again.
  const sent = about ? undefined : outcome?.sent
  const startAgain = () => {
    setOutcome(undefined)
    photos.remove(sentPhotos.map(({ id }) => id))
    setSentPhotos([])
  }

  const keep = () => {
    if (!form.current) return
    const { website: _hidden, ...entries } = entriesOf(form.current)
    keepContactDraft({ entries, about })
  }

  const takeOver = useEffectEvent(() => {
    if (!form.current) return
    if (!sentForm) isRestored.current = restoreInto(form.current)
    // Files chosen before hydration.
    fieldOf(form.current, 'photos')?.dispatchEvent(new Event('change', { bubbles: true }))
    if (fieldOf(form.current, 'about')?.checked === false) chooseAbout(null)
    // Only if the visitor has not focused anything else.
    if (document.activeElement?.contains(form.current)) focusFirst(form.current, faults)
    setReady(true)
    onReady()
  })
  useEffect(() => {
    takeOver()
  }, [])

  const aboutId = about?.id
  const keepAbout = useEffectEvent((id: string | undefined) => {
    keep()
    if (id === arrivedAbout?.id) return
    // Otherwise a reload restores the subject from the address.
    if (queryNow().has('about')) navigate({ about: undefined }, { replace: true })
    if (!id) return
    const wasHidden = outcome?.sent !== undefined
    if (wasHidden) startAgain()
    // Or the line about the model has pushed the focused first field down.
    if (wasHidden || (document.activeElement as HTMLInputElement | null)?.name === 'name') toForm()
  })
  useEffect(() => {
    keepAbout(aboutId)
  }, [aboutId])

  useEffect(() => {
    addEventListener('offline', photos.interrupt)
    addEventListener('online', photos.resume)
    return () => {
      removeEventListener('offline', photos.interrupt)
      removeEventListener('online', photos.resume)
    }
  }, [photos])

  useEffect(() => {
    const [focused, whole] = [document.activeElement, form.current]
    // Unless the visitor has gone on to something else.
    const isHere = whole && (whole.contains(focused) || focused?.contains(whole))
    if (!sent || sent === sentForm?.sent || !isHere) return
    card.current?.focus({ preventScroll: true })
    whole.scrollIntoView({ behavior: 'instant' })
  }, [sent, sentForm])

  useEffect(() => {
    if (!isSending) return
    return () => {
      // The disabled button has lost the focus.
      if (document.activeElement === document.body) submitButton.current?.focus({ preventScroll: true })
    }
  }, [isSending])

  const object = ({ title, faults }: Objection) => {
    setFaults(faults)
    toast({ tone: 'destructive', title })
    if (form.current) focusFirst(form.current, faults)
  }
  const finish = (entries: ContactEntries, photosLost: number, answerBy: string | undefined) => {
    const [name, email, message] = [entries.name.trim(), entries.email.trim(), entries.message.trim()]
    setOutcome({ outcome: 'sent', photosLost, sent: { name, email, message, answerBy } })
    if (form.current) clear(form.current, entries)
    keep()
    chooseAbout(null)
    setMeant(undefined)
    const note = photosLost > 0 && words.photos.notSent(photosLost)
    toast({ title: t.sentTitle, description: t.sentText, ...(note && { note }) })
  }
  const fail = (error: unknown) => {
    const problem = error instanceof CallError ? error.problem : undefined
    const details = problem?.details
    const objection = details && 'faults' in details ? objectionTo(details.faults, t) : undefined
    if (objection && Object.keys(objection.faults).length > 0) return object(objection)
    const failure = { outcome: failureOf(error), photosLost: 0 }
    setOutcome(failure)
    toast({ tone: 'destructive', title: t.failedTitle, description: sentenceOf(failure, t, maker.email) })
  }
  const send = async (entries: ContactEntries) => {
    isUnderWay.current = true
    setSending(true)
    setOutcome(undefined)
    try {
      const objection = judgeContact(entries, t, await rulesInTime())
      if (objection) return object(objection)
      const { ids, tickets } = await photos.settled()
      const body = {
        ...entries,
        projectType: entries.projectType as '',
        language,
        photos: tickets,
        ...(aboutId && { about: aboutId }),
        // Meaningless for a text written on an earlier page.
        ...(!sentForm && !isRestored.current && { elapsed: Math.round(performance.now()) }),
      }
      const reply = await call(sending, { body }, { signal: AbortSignal.timeout(timeouts.answer) })
      const { photosLost = 0, answerBy } = reply
      const arrived = photos.photos().filter(({ id, state }) => ids.includes(id) && state === 'there')
      photos.remove(ids.filter((id) => arrived.every((photo) => photo.id !== id)))
      setSentPhotos(arrived)
      finish(entries, ids.length - tickets.length + photosLost, answerBy)
    } catch (error) {
      fail(error)
    } finally {
      isUnderWay.current = false
      setSending(false)
    }
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isUnderWay.current) return
    const entries = entriesOf(event.currentTarget)
    const objection = judgeContact(entries, t)
    if (objection) return object(objection)
    setFaults({})
    void send(withoutAutofill(event.currentTarget, entries))
  }
  const takeMeant = () => {
    const field = form.current && fieldOf(form.current, 'email')
    if (!field || !meant) return
    field.value = meant
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.focus()
  }
  const judgeAgain = async (name: string, entries: ContactEntries) => {
    const left = judgeContact(entries, t, await loadRules())?.faults ?? {}
    setFaults((shown) => ({ ...shown, [name]: left[name as keyof ContactFaults] }))
  }

  const { entries = {} } = sentForm ?? {}
  // A draft that an earlier release has kept knows no translations.
  const aboutTitle = about && (about.translations?.[language]?.title ?? about.title)
  const answersPage = outcome && outcome === sentForm
  const { photosLost = 0 } = outcome ?? {}
  return (
    <form
      ref={form}
      method="post"
      // Without script the answer is a page: scroll to the form.
      action={`${link('/')}#contact`}
      encType="multipart/form-data"
      onSubmit={submit}
      // Loaded now: after a lost connection the failure notice could not be loaded.
      onFocus={() => {
        loadToaster().catch(() => {})
        void loadRules()
      }}
      onInput={({ currentTarget, target }) => {
        keep()
        const { name, value } = target as HTMLInputElement
        if (name === 'email') setMeant(meantAddress(value, true))
        // Clears a field's error when it is edited.
        if (faults[name as keyof ContactFaults]) void judgeAgain(name, entriesOf(currentTarget))
      }}
      noValidate
      aria-label={t.title}
      className="grid scroll-mt-6 grid-cols-1 gap-6 sm:grid-cols-2 [&_:is(input,select,textarea)]:scroll-my-20"
    >
      <input type="hidden" name="language" value={language} />
      <div role="status" className="empty:-mb-6 sm:col-span-2">
        {sent && (
          <SentCard
            ref={card}
            sent={sent}
            photos={sentPhotos}
            note={photosLost > 0 && words.photos.notSent(photosLost)}
            // Without a notice, which needs a script.
            text={answersPage ? t.sentText : undefined}
            onAgain={() => {
              flushSync(startAgain)
              toForm()
            }}
          />
        )}
      </div>
      {/* It stays, so that what was typed while it was sent does; without a script the next message is written below. */}
      <div className={sent ? 'hidden unscripted:contents' : 'contents'}>
        {answersPage && !sent && (
          <Answer {...outcome} {...{ t, words, faults: sentForm.faults }} isKept={Object.keys(sentForm.entries).length > 0} />
        )}
        {about && aboutTitle && (
          <div className="flex min-h-12 items-center gap-3 border-y border-(--line) sm:col-span-2">
            {!isReady && (
              <input
                type="checkbox"
                name="about"
                value={about.id}
                aria-label={words.about(aboutTitle)}
                defaultChecked
                className="size-5 accent-brass-deep"
              />
            )}
            <p className="min-w-0 flex-1 py-2 font-medium wrap-anywhere">{words.about(aboutTitle)}</p>
            {isReady && (
              <Button
                tone="quiet"
                className="-mr-2 w-11 shrink-0 px-0"
                aria-label={words.removeAbout(aboutTitle)}
                onClick={() => {
                  chooseAbout(null)
                  if (form.current) fieldOf(form.current, 'name')?.focus()
                }}
              >
                <X aria-hidden />
              </Button>
            )}
          </div>
        )}
        <Field label={t.name} required={t.required} error={faults.name}>
          {(slot) => (
            <Input {...slot} name="name" autoComplete="name" maxLength={contactLimits.name} defaultValue={entries.name} />
          )}
        </Field>
        <Field label={t.email} required={t.required} error={faults.email}>
          {(slot) => (
            <>
              <Input
                {...slot}
                name="email"
                type="email"
                autoComplete="email"
                defaultValue={entries.email}
                onBlur={({ currentTarget, relatedTarget }) => {
                  // Not on the way to a button, which would move away from under the pointer.
                  if (relatedTarget?.matches('input, select, textarea')) setMeant(meantAddress(currentTarget.value, false))
                }}
              />
              <div aria-live="polite">
                {meant && (
                  <button
                    type="button"
                    onClick={takeMeant}
                    className="flex min-h-11 items-center text-left text-sm underline underline-offset-4 wrap-anywhere"
                  >
                    {words.didYouMean(meant)}
                  </button>
                )}
              </div>
            </>
          )}
        </Field>
        <Field label={t.projectType} error={faults.projectType} className="sm:col-span-2">
          {(slot) => (
            <Select
              {...slot}
              name="projectType"
              defaultValue={entries.projectType ?? (arrivedAbout?.category ? typeOfCategory[arrivedAbout.category] : '')}
              options={[['', t.projectTypeNone], ...projectTypes.map((type) => [type, t.projectTypes[type]] as const)]}
            />
          )}
        </Field>
        <Field label={t.message} required={t.required} error={faults.message} hint={t.messageHint} className="sm:col-span-2">
          {(slot) => <Textarea {...slot} name="message" rows={6} defaultValue={entries.message} />}
        </Field>
        <ContactPhotosField held={photos} isReady={isReady} className="sm:col-span-2" />
        {/* Honeypot: bots fill in every field; people and autofill do not reach this one. */}
        <div inert aria-hidden="true" className="absolute -left-[9999px]">
          <label>
            {t.website}
            <input name="website" tabIndex={-1} autoComplete="off" data-1p-ignore data-lpignore="true" data-bwignore />
          </label>
        </div>
        <div className="sm:col-span-2">
          <Button size="large" ref={submitButton} type="submit" tone="brass" disabled={isSending} className="w-full sm:w-auto">
            <Send aria-hidden />
            {isSending ? t.sending : t.submit}
          </Button>
          {/* No live region: a notice has announced it. */}
          {outcome && !sent && !answersPage && <Answer {...outcome} {...{ t, words }} className="mt-6" />}
        </div>
      </div>
    </form>
  )
}

type FormTexts = Texts['contact']['form']

type AnswerProps = Outcome & {
  faults?: SentForm['faults']
  /** False when the whole form was lost in transit. */
  isKept?: boolean
  t: FormTexts
  words: ReturnType<typeof useContactFormTexts>
  className?: string
}

/** Why it was not sent. */
function Answer({ outcome, photosLost, faults = [], isKept = true, t, words, className }: AnswerProps) {
  const { maker } = useLanguage()
  const title = outcome === 'refused' ? objectionTo(faults, t).title : t.failedTitle
  return (
    <div
      className={cn('flex gap-4 border border-l-4 border-(--line) border-l-oxide bg-(--raised) p-5 sm:col-span-2', className)}
    >
      <TriangleAlert aria-hidden className="mt-1 size-5 shrink-0 text-(--danger)" />
      <div className="grid min-w-0 gap-1">
        <p className="font-display text-xl leading-snug">{title}</p>
        {outcome !== 'refused' && <p>{sentenceOf({ outcome }, t, maker.email)}</p>}
        {outcome === 'failed' && isKept && <p>{words.kept}</p>}
        {photosLost > 0 && <p>{words.photos.chooseAgain}</p>}
      </div>
    </div>
  )
}

function sentenceOf({ outcome }: Pick<Outcome, 'outcome'>, t: FormTexts, email: string) {
  const sentences = {
    sent: t.sentText,
    refused: t.checkFields,
    failed: t.failedText,
    tooOften: t.tooOften,
    tooMany: t.tooMany(email),
  }
  return sentences[outcome]
}

function failureOf(error: unknown): Outcome['outcome'] {
  if (!(error instanceof CallError) || error.status !== 429) return 'failed'
  return error.problem?.code === 'too_many_inquiries' ? 'tooMany' : 'tooOften'
}

function fieldOf<E extends HTMLElement = HTMLInputElement>(form: HTMLFormElement, name: string) {
  return form.querySelector<E>(`[name="${name}"]`)
}

function focusFirst(form: HTMLFormElement, faults: ContactFaults) {
  const [first] = Object.keys(faults)
  if (first) fieldOf(form, first)?.focus()
}

/** Returns whether there was a draft. Does not overwrite fields that were typed before hydration or kept by the browser. */
function restoreInto(form: HTMLFormElement) {
  const draft = readContactDraft()
  if (!draft) return false
  for (const [name, entry = ''] of Object.entries(draft.entries)) {
    const field = fieldOf(form, name)
    if (field && !field.value) field.value = entry
  }
  if (draft.about && !queryNow().has('about') && !isAboutChosen()) chooseAbout(draft.about)
  return true
}

/** Not `reset()`, which restores the server-rendered values. Text typed while sending stays. */
function clear(form: HTMLFormElement, sent: ContactEntries) {
  const entries = entriesOf(form)
  for (const name of contactFields) {
    const field = fieldOf(form, name)
    if (field && (entries[name] === sent[name] || name === 'website')) field.value = ''
  }
}

/** Otherwise autofill of the hidden field would mark the visitor as a bot. */
function withoutAutofill(form: HTMLFormElement, entries: ContactEntries): ContactEntries {
  return CSS.supports('selector(:autofill)') && fieldOf(form, 'website')?.matches(':autofill')
    ? { ...entries, website: '' }
    : entries
}
