const formats = new Map<string, Intl.DateTimeFormat>()

/** Making one takes longer than using it a thousand times. */
function formatOf(timeZone: string) {
  const known = formats.get(timeZone)
  if (known) return known
  const made = newFormat(timeZone)
  formats.set(timeZone, made)
  return made
}

function newFormat(timeZone: string) {
  const options = { dateStyle: 'short', timeStyle: 'medium' } as const
  try {
    return new Intl.DateTimeFormat('sv-SE', { ...options, timeZone })
  } catch {
    // A zone that does not exist must cost neither a page nor a backup.
    return new Intl.DateTimeFormat('sv-SE', { ...options, timeZone: 'UTC' })
  }
}

/** The day and the time by the clock there: `2027-03-01 18:00:00`. */
function wallClock(moment: Date, timeZone: string) {
  return formatOf(timeZone).format(moment)
}

/** As 2027-03-01. */
export function dayIn(timeZone: string, moment: Date) {
  return wallClock(moment, timeZone).slice(0, 10)
}

/** The day so many days after another. */
export function daysAfter(day: string, days: number) {
  const at = new Date(`${day}T00:00:00.000Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}

const day = 24 * 60 * 60 * 1000

/**
 * The moment at which the clock there shows that time on that day. Where clocks are put back and show it twice, the first one;
 * where they are put forward and leave it out, as long after midnight as if they had not been.
 */
export function momentOf(date: string, time: string, timeZone: string) {
  const shown = Date.parse(`${date}T${time}:00.000Z`)
  const ahead = (moment: number) => Date.parse(`${wallClock(new Date(moment), timeZone).replace(' ', 'T')}.000Z`) - moment
  const [byOld, byNew] = [shown - ahead(shown - day), shown - ahead(shown + day)]
  const isShownAt = (moment: number) => moment + ahead(moment) === shown
  return new Date(!isShownAt(byOld) && isShownAt(byNew) ? byNew : byOld)
}
