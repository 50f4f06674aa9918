import { describe, expect, test } from 'vitest'
import { contacts as contactsEn } from '#content/en/contacts.ts'
import { contacts as contactsEs } from '#content/es/contacts.ts'
import { letterAddress, preparedLetter, sendingOf, withoutQuote } from './reply.rules.ts'

const contact = {
  name: 'Inés Robles',
  email: 'ines+1@example.com',
  message: 'Could you build a tug?\r\n\r\nIn 1:50.',
  createdAt: '2026-03-01T12:00:00.000Z',
}

const english = contactsEn.letter('Vitrina')
const spanishLetter = contactsEs.letter('Vitrina')

describe('a reply', () => {
  test('begins with a greeting and ends with what was asked, in the language of the visitor', () => {
    const { above, text } = preparedLetter(contact, english, 'UTC')
    expect(above).toBe('Dear Inés Robles,\n\n')
    expect(text).toContain('\nOn March 1, 2026 you wrote:\n> Could you build a tug?\n>\n> In 1:50.')
    const spanish = preparedLetter({ ...contact, createdAt: null }, spanishLetter, 'UTC').text
    expect(spanish).toContain('Buen día, Inés Robles:')
    expect(spanish).toContain('Usted escribió:\n> Could')
  })

  test('is shown without the question it quotes, unless there is nothing else', () => {
    const { above, text } = preparedLetter(contact, english, 'UTC')
    expect(withoutQuote(text.replace(above, `${above}Yes: in 1:50!`))).toBe(`${above}Yes: in 1:50!\n\n${english.regards}`)
    expect(withoutQuote('Only this:\nas it is.')).toBe('Only this:\nas it is.')
    expect(withoutQuote('> a quote alone')).toBe('> a quote alone')
  })

  test('was sent, waits, was refused, or that is unknown', () => {
    const reply = { id: 'a', text: '', createdAt: contact.createdAt, sentAt: null }
    const mail = { id: 'b', lastError: null }
    expect(sendingOf({ ...reply, sentAt: contact.createdAt, mail: null })).toBe('sent')
    expect(sendingOf({ ...reply, mail: { ...mail, state: 'waiting' } })).toBe('waiting')
    expect(sendingOf({ ...reply, mail: { ...mail, state: 'failed' } })).toBe('failed')
    expect(sendingOf({ ...reply, mail: null })).toBe('unknown')
  })
})

describe('a letter for another mail program', () => {
  const bodyOf = (address: string) => new URL(address).searchParams.get('body') ?? ''

  const letter = { email: contact.email, subject: english.subject, text: preparedLetter(contact, english, 'UTC').text }

  test('brings the address, a subject and the same text along', () => {
    const { address, isCut } = letterAddress('mailto', letter)
    expect(address).toMatch(/^mailto:ines%2B1%40example\.com\?subject=Re%3A/)
    expect(isCut).toBe(false)
    expect(bodyOf(address)).toContain('Dear Inés Robles,\r\n\r\n')
    expect(bodyOf(address)).toMatch(/> In 1:50\.$/)
    const gmail = new URL(letterAddress('gmail', letter).address)
    expect(gmail.host).toBe('mail.google.com')
    expect(Object.fromEntries(gmail.searchParams)).toMatchObject({
      to: contact.email,
      su: english.subject,
      body: bodyOf(address),
    })
  })

  test('quotes of a long message what has room, and cuts no character in half', () => {
    for (const message of ['ñ'.repeat(5_000), '🚂'.repeat(2_500), 'x'.repeat(5_000), '\n'.repeat(5_000)]) {
      const { text } = preparedLetter({ ...contact, message }, spanishLetter, 'UTC')
      const { address, isCut } = letterAddress('mailto', { ...letter, text })
      expect(isCut).toBe(true)
      expect(address.length).toBeLessThanOrEqual(1_800)
      expect(address.length).toBeGreaterThan(1_750)
      expect(bodyOf(address)).toMatch(/>.*…$/s)
      expect(bodyOf(address)).not.toContain('\uFFFD')
    }
  })
})
