import { maker } from './maker.ts'

/** `Sunday, May 3 at 6:00 AM CST`, by the maker's clock. */
export function mailMoment(at: Date, locale: string) {
  const inZone = (timeZone: string) =>
    at.toLocaleString(locale, {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      hour: 'numeric',
      minute: '2-digit',
      timeZone,
      timeZoneName: 'short',
    })
  try {
    return inZone(maker.timeZone)
  } catch {
    // A zone that does not exist must not cost a message.
    return inZone('UTC')
  }
}
