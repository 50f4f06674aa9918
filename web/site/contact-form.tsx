import { Send } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import type { Texts } from '#content/en.ts'
import { maker } from '#content/maker.ts'
import { contactFields, contactLimits, contactPath, projectTypes } from '#contract/contacts.fields.ts'
import type { sendContact } from '#contract/contacts.ts'
import { addressed } from '#contract/endpoint.ts'
import { CallError, call } from '../api/call.ts'
import { useLanguage } from '../language/language.tsx'
import { Button } from '../ui/button.tsx'
import { Field, Input, Select, Textarea } from '../ui/field.tsx'
import { loadToaster, toast } from '../ui/toast-store.ts'
import { type ContactEntries, type ContactFaults, judgeContact, type Objection } from './contact-form.rules.ts'

const sending = addressed<typeof sendContact>('POST', contactPath)

/** The schema (and zod) is loaded when the form gets the focus. If it cannot be loaded, the server validates. */
const loadDraft = () =>
  import('#contract/contacts.ts').then(
    ({ contactDraft }) => contactDraft,
    () => undefined,
  )

export function ContactForm() {
  const { texts } = useLanguage()
  const t = texts.contact.form
  const form = useRef<HTMLFormElement>(null)
  const [faults, setFaults] = useState<ContactFaults>({})
  const [isSending, setSending] = useState(false)
  const send = async (entries: ContactEntries) => {
    setSending(true)
    try {
      const objection = judgeContact(entries, t, await loadDraft())
      if (objection) return object(objection)
      await call(sending, { body: { ...entries, projectType: entries.projectType as '' } })
      form.current?.reset()
      toast({ title: t.sentTitle, description: t.sentText })
    } catch (error) {
      toast({ tone: 'destructive', title: t.failedTitle, description: reasonOf(error, t) })
    } finally {
      setSending(false)
    }
  }

  const object = ({ title, faults }: Objection) => {
    setFaults(faults)
    toast({ tone: 'destructive', title })
    const [firstFault] = Object.keys(faults)
    if (firstFault) form.current?.querySelector<HTMLElement>(`[name="${firstFault}"]`)?.focus()
  }
  const judgeAgain = (name: string, entries: ContactEntries, draft: Parameters<typeof judgeContact>[2]) => {
    const left = judgeContact(entries, t, draft)?.faults ?? {}
    setFaults((shown) => ({ ...shown, [name]: left[name as keyof ContactFaults] }))
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const entries = entriesOf(event.currentTarget)
    const objection = judgeContact(entries, t)
    if (objection) return object(objection)
    setFaults({})
    void send(entries)
  }

  return (
    <form
      ref={form}
      // Submitted before the script is there, a GET would put the message into the address.
      method="dialog"
      onSubmit={submit}
      // Loaded now, so that a failure can be shown even if the connection drops meanwhile.
      onFocus={() => {
        loadToaster().catch(() => {})
        void loadDraft()
      }}
      // An error is removed as soon as it is corrected.
      onInput={({ currentTarget, target }) => {
        const { name } = target as HTMLInputElement
        if (faults[name as keyof ContactFaults])
          void loadDraft().then((draft) => judgeAgain(name, entriesOf(currentTarget), draft))
      }}
      noValidate
      aria-label={t.title}
      className="grid grid-cols-1 gap-6 sm:grid-cols-2"
    >
      <Field label={t.name} required={t.required} error={faults.name}>
        {(slot) => <Input {...slot} name="name" autoComplete="name" maxLength={contactLimits.name} />}
      </Field>
      <Field label={t.email} required={t.required} error={faults.email}>
        {(slot) => <Input {...slot} name="email" type="email" autoComplete="email" />}
      </Field>
      <Field label={t.projectType} error={faults.projectType} className="sm:col-span-2">
        {(slot) => (
          <Select {...slot} name="projectType" defaultValue="">
            <option value="">{t.projectTypeNone}</option>
            {projectTypes.map((type) => (
              <option key={type} value={type}>
                {t.projectTypes[type]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t.message} required={t.required} error={faults.message} hint={t.messageHint} className="sm:col-span-2">
        {(slot) => <Textarea {...slot} name="message" rows={6} />}
      </Field>
      {/* Robots fill in every field they find; people never find this one. */}
      <div aria-hidden="true" className="absolute -left-[9999px]">
        <label>
          {t.website}
          <input name="website" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      <div className="sm:col-span-2">
        <p className="hidden unscripted:block">
          {t.needsScript}{' '}
          <a href={`mailto:${maker.email}`} className="underline">
            {maker.email}
          </a>
        </p>
        <Button type="submit" tone="brass" disabled={isSending} className="w-full sm:w-auto unscripted:hidden">
          <Send aria-hidden />
          {isSending ? t.sending : t.submit}
        </Button>
      </div>
    </form>
  )
}

function reasonOf(error: unknown, t: Texts['contact']['form']) {
  if (!(error instanceof CallError) || error.status !== 429) return t.failedText
  return error.problem?.code === 'too_many_inquiries' ? t.tooMany(maker.email) : t.tooOften
}

function entriesOf(form: HTMLFormElement) {
  const data = new FormData(form)
  return Object.fromEntries(contactFields.map((field) => [field, String(data.get(field) ?? '')])) as ContactEntries
}
