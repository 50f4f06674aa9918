import { expect, test } from 'vitest'
import { site as en } from '#content/en/site.ts'
import { site as es } from '#content/es/site.ts'
import { contactDraft } from '#contract/contacts.ts'
import { judgeContact, meantAddress, objectionTo } from './contact-form.rules.ts'

const complete = { name: 'Inés', email: 'ines@example.com', projectType: '', message: 'Hello', website: '' }

test('a complete message may be sent, with or without a project type', () => {
  expect(judgeContact(complete, en.contact.form, contactDraft)).toBeUndefined()
  expect(judgeContact({ ...complete, projectType: 'custom' }, en.contact.form, contactDraft)).toBeUndefined()
})

test('empty and blank required fields are named, in the visitor’s language', () => {
  const objection = judgeContact({ ...complete, name: '  ', message: '' }, es.contact.form, contactDraft)
  expect(objection).toEqual({
    title: es.contact.form.missing,
    faults: { name: es.contact.form.missingField.name, message: es.contact.form.missingField.message },
  })
})

test('an address that cannot be one is named', () => {
  for (const email of ['ines', 'ines@', '@example.com', 'ines example.com']) {
    expect(judgeContact({ ...complete, email }, en.contact.form, contactDraft)?.faults).toEqual({
      email: en.contact.form.invalidEmail,
    })
  }
})

test('texts longer than the limits are named with the limit', () => {
  const long = judgeContact({ ...complete, name: 'x'.repeat(121), message: 'y'.repeat(5001) }, en.contact.form, contactDraft)
  expect(long?.faults).toEqual({ name: en.contact.form.tooLong(120), message: en.contact.form.tooLong(5000) })
  expect(
    judgeContact({ ...complete, name: 'x'.repeat(120), message: 'y'.repeat(5000) }, en.contact.form, contactDraft),
  ).toBeUndefined()
})

test('before the draft’s own rules have arrived, what is missing is named all the same', () => {
  expect(judgeContact({ ...complete, name: ' ' }, en.contact.form)?.title).toBe(en.contact.form.missing)
  expect(judgeContact({ ...complete, email: 'ines' }, en.contact.form)).toBeUndefined()
})

test('what the server found wrong stands beside its field, in the visitor’s language, whatever kind it is', () => {
  const t = es.contact.form
  const faults = [
    { field: 'name', fault: 'too_long', limit: 120 },
    { field: 'name', fault: 'wrong' },
    { field: 'email', fault: 'not_an_email' },
    { field: 'projectType', fault: 'not_a_choice', names: [] },
    { field: 'photos.0', fault: 'wrong' },
  ] as const
  expect(
    objectionTo(
      faults.map((fault) => ({ ...fault, names: [] })),
      t,
    ),
  ).toEqual({
    title: t.checkFields,
    faults: { name: t.tooLong(120), email: t.invalidEmail, projectType: t.checkFields },
  })
  expect(objectionTo([{ field: 'message', fault: 'missing' }], t)).toEqual({
    title: t.missing,
    faults: { message: t.missingField.message },
  })
})

test.each([
  ['ines@gmial.com', 'ines@gmail.com'],
  ['Ines.V@Gmail.con', 'Ines.V@gmail.com'],
  ['ines@gmai.com', 'ines@gmail.com'],
  ['ines@hottmail.com', 'ines@hotmail.com'],
  ['ines@yaho.com.mx', 'ines@yahoo.com.mx'],
  ['ines@gmail.co', 'ines@gmail.com'],
  ['ines@gmail,com', 'ines@gmail.com'],
  ['ines@outlook', 'ines@outlook.com'],
])('%s is a slip for %s', (written, meant) => {
  expect(meantAddress(written, false)).toBe(meant)
})

test.each([
  ...['ines@gmail.com', 'INES@GMAIL.COM', 'ines@ymail.com', 'ines@mail.com', 'ines@hotmail.se', 'ines@live.cl'],
  ...['ines@taller.example', 'ines', '@', '', 'ines@', 'ines@@gmial.com'],
])('%s is taken as it is', (written) => {
  expect(meantAddress(written, false)).toBeUndefined()
})

test('what is being typed is no slip before it is complete', () => {
  const typed = ['ines@gmail', 'ines@gmail.co', 'ines@gmail.com', 'ines@gmial', 'ines@gmial.com']
  expect(typed.map((each) => meantAddress(each, true))).toEqual([undefined, undefined, undefined, undefined, 'ines@gmail.com'])
})
