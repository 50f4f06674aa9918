import { Check } from 'lucide-react'
import type { RefObject } from 'react'
import { localeOf } from '#contract/languages.ts'
import { useLanguage } from '../../language/language.tsx'
import type { SentMessage } from '../../page.ts'
import { Button } from '../../ui/button.tsx'
import { Reach } from '../page/section.tsx'
import { useContactFormTexts } from './contact-form-texts.ts'
import type { ContactPhoto } from './photo-queue.ts'

type Props = {
  ref: RefObject<HTMLElement | null>
  sent: SentMessage
  photos: readonly ContactPhoto[]
  /** What did not arrive. */
  note: string | false
  text: string | undefined
  onAgain(): void
}

/** Takes the place of the form: to whom the maker will have written by when, and what was sent. */
export function SentCard({ ref, sent: { name, email, message, answerBy }, photos, note, text, onAgain }: Props) {
  const { texts, maker, language } = useLanguage()
  const { sentTitle, sentText } = texts.contact.form
  const words = useContactFormTexts().sent
  const inWorkshop = (how: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(localeOf(language), { timeZone: maker.timeZone, ...how }).format(new Date(answerBy ?? ''))
  const promise =
    answerBy &&
    words.by(email, inWorkshop({ weekday: 'long' }), inWorkshop({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }))
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label={words.thanks(name)}
      className="squared corner-ticks m-2.25 animate-[rise_300ms_var(--ease-settle)] border border-(--line) bg-(--raised) p-6 wrap-anywhere outline-none sm:p-10"
    >
      <p className="lettering flex items-center gap-3 text-(--accent)">
        <Check aria-hidden className="size-4" />
        {sentTitle}
        <Reach flipped className="flex-1 border-r text-(--line)" />
      </p>
      <h3 className="mt-6 text-3xl md:text-4xl">{words.thanks(name)}</h3>
      <p className="mt-4 max-w-prose text-lg">{promise || sentText}</p>
      {promise && text && <p className="mt-2 max-w-prose">{text}</p>}
      {note && <p className="mt-2 max-w-prose">{note}</p>}
      <div className="mt-8 border-t border-(--line) pt-5">
        <p className="lettering text-(--quiet)">{words.message}</p>
        <p className="mt-2 line-clamp-6 max-w-prose text-sm whitespace-pre-line text-(--quiet)">{message}</p>
        {photos.length > 0 && (
          <div className="mt-4 flex flex-wrap gap-2">
            {photos.map(({ id, name: file, preview }) => (
              <img key={id} src={preview} alt={file} className="size-14 border border-(--line) object-cover" />
            ))}
          </div>
        )}
      </div>
      <Button size="large" className="mt-8 unscripted:hidden" onClick={onAgain}>
        {words.again}
      </Button>
    </section>
  )
}
