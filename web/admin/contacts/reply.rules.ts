import type { ContactTexts } from '#content/en/contacts.ts'
import type { Contact, ContactReply } from '#contract/contacts.admin.ts'

type QuotedContact = Pick<Contact, 'name' | 'message' | 'createdAt'>
type Words = ReturnType<ContactTexts['letter']>

export function preparedLetter({ name, message, createdAt }: QuotedContact, words: Words, timeZone: string) {
  const date = createdAt && new Intl.DateTimeFormat(words.locale, { dateStyle: 'long', timeZone }).format(new Date(createdAt))
  const quote = message
    .split(/\r\n|\r|\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
  const above = `${words.greeting(name)}\n\n`
  const below = `\n\n${words.regards}\n\n${words.wrote(date)}\n`
  return { above, text: `${above}${below}${quote}` }
}

type Letter = { email: string; subject: string; text: string }

/** How a letter gets into another program. Longer addresses are refused by systems and by Gmail. */
const programs = {
  mailto: { longest: 1_800, to: (email: string, subject: string) => `mailto:${email}?subject=${subject}&body=` },
  gmail: {
    longest: 6_000,
    to: (email: string, subject: string) => `https://mail.google.com/mail/?view=cm&fs=1&to=${email}&su=${subject}&body=`,
  },
} as const

/** An address that opens the letter there. The end of a long one is cut off. */
export function letterAddress(program: keyof typeof programs, { email, subject, text }: Letter) {
  const { longest, to } = programs[program]
  const start = to(encodeURIComponent(email), encodeURIComponent(subject))
  const body = text.replaceAll('\n', '\r\n')
  const whole = `${start}${encodeURIComponent(body)}`
  if (whole.length <= longest) return { address: whole, isCut: false }
  let address = start
  for (const character of body) {
    if (`${address}${encodeURIComponent(`${character}…`)}`.length > longest) break
    address += encodeURIComponent(character)
  }
  return { address: `${address}${encodeURIComponent('…')}`, isCut: true }
}

/** Without the quoted message at its end, which is shown above it anyway. */
export function withoutQuote(text: string) {
  const lines = text.split('\n')
  const isQuoted = (line: string) => line.startsWith('>') || line.trim() === ''
  const end = lines.findLastIndex((line) => !isQuoted(line))
  const quotes = lines.slice(end + 1).some((line) => line.startsWith('>'))
  // The line that introduces the quote ends with a colon.
  const own = quotes ? lines.slice(0, lines[end]?.trimEnd().endsWith(':') ? end : end + 1) : lines
  return own.join('\n').trimEnd() || text
}

/** The state of a reply's mail; unknown when the mail's record was deleted before its delivery was recorded. */
export function sendingOf({ sentAt, mail }: ContactReply) {
  if (sentAt !== null || mail?.state === 'sent') return 'sent'
  return mail?.state ?? 'unknown'
}
