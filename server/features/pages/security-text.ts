import { languages } from '#contract/languages.ts'
import { securityText } from '#contract/pages.ts'
import { day } from '#server/clock.ts'

type About = { base: string; email: string; now: Date }

/** RFC 9116 wants less than a year; it is written anew at every answer, so that it never expires while the site runs. */
const validFor = 180 * day

/** Where to report a vulnerability. */
export function securityTextOf({ base, email, now }: About) {
  return [
    `Contact: mailto:${email}`,
    `Expires: ${new Date(now.getTime() + validFor).toISOString()}`,
    `Preferred-Languages: ${languages.join(', ')}`,
    ...(base ? [`Canonical: ${base}${securityText.path}`] : []),
    '',
  ].join('\n')
}
