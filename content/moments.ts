import type { BackupTexts } from './en/backups.ts'

/** Where and in what words a moment is told. */
export type MomentFormat = { locale: string; timeZone: string; now: string; at: BackupTexts['line']['at'] }

const formats = new Map<string, Intl.DateTimeFormat>()

/** Kept, because making a format takes as long as using it a thousand times. */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions) {
  const key = JSON.stringify([locale, options])
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formats.set(key, format)
  return format
}

/** "03:00 today", "03:00 on November 3": by the clock of the time zone, wherever the reader is. */
export function momentIn({ locale, timeZone, now, at }: MomentFormat, moment: string) {
  const time = dateFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const clock = time.format(new Date(moment))
  const days = dayNumber(timeZone, moment) - dayNumber(timeZone, now)
  if (days === 0) return at.today(clock)
  if (days === -1) return at.yesterday(clock)
  if (days === 1) return at.tomorrow(clock)
  return at.on(clock, dayOf({ locale, timeZone, now }, moment))
}

/** "November 3", with its year unless that is this one. */
export function dayOf({ locale, timeZone, now }: Pick<MomentFormat, 'locale' | 'timeZone' | 'now'>, moment: string) {
  const yearOf = (some: string) => dateFormat('en', { timeZone, year: 'numeric' }).format(new Date(some))
  const year = yearOf(moment) === yearOf(now) ? {} : ({ year: 'numeric' } as const)
  return dateFormat(locale, { timeZone, day: 'numeric', month: 'long', ...year }).format(new Date(moment))
}

const dayLength = 24 * 60 * 60 * 1_000

/** Days are counted by the calendar, because some have 23 hours and some 25. */
function dayNumber(timeZone: string, moment: string) {
  const parts = dateFormat('en', { timeZone, year: 'numeric', month: 'numeric', day: 'numeric' }).formatToParts(
    new Date(moment),
  )
  const numberOf = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value)
  return Date.UTC(numberOf('year'), numberOf('month') - 1, numberOf('day')) / dayLength
}

/** "Nov 17, 2026, 09:00", by the clock of the time zone. */
export function dayAndTime(locale: string, timeZone: string, moment: string) {
  const how = { timeZone, dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' } as const
  return dateFormat(locale, how).format(new Date(moment))
}

/** `Sunday, May 3 at 6:00 AM CST`, by the clock of the time zone. */
export function mailMoment(at: Date, locale: string, timeZone: string) {
  return at.toLocaleString(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  })
}
