import { expect, test } from 'vitest'
import { z } from 'zod/mini'
import { aProject } from '#tests/factories.ts'
import { newAdmin } from './accounts.ts'
import { incomingContact, incomingProject } from './backups.ts'
import { contactDraft } from './contacts.ts'
import { shownName, valueFaultOf } from './value-fault.ts'

function faultsIn(schema: z.ZodMiniType, value: unknown) {
  return (z.safeParse(schema, value).error?.issues ?? []).map(valueFaultOf)
}

test.each<[string, z.ZodMiniType, object, object]>([
  ['a missing text', incomingProject, { title: undefined }, { field: 'title', fault: 'missing' }],
  ['a blank text', incomingProject, { title: ' ' }, { field: 'title', fault: 'missing' }],
  ['a long text', incomingProject, { title: 'x'.repeat(201) }, { field: 'title', fault: 'too_long', limit: 200 }],
  ['a flag that is none', incomingProject, { featured: 'yes' }, { field: 'featured', fault: 'not_yes_or_no' }],
  ['an id that is none', incomingProject, { id: '7' }, { field: 'id', fault: 'not_an_id' }],
  ['a date that is none', incomingProject, { createdAt: 'today' }, { field: 'createdAt', fault: 'not_a_moment' }],
  ['the year 0', incomingProject, { createdAt: '0000-01-01T00:00:00Z' }, { field: 'createdAt', fault: 'not_a_moment' }],
  ['an address of nowhere', incomingProject, { imageUrl: 'ftp://x' }, { field: 'imageUrl', fault: 'not_a_photo' }],
  ['a field of another site', incomingProject, { price: 9 }, { field: '', fault: 'unknown_fields', names: ['price'] }],
])('%s is told in a word that every language knows', (_, schema, change, fault) => {
  expect(faultsIn(schema, { ...aProject(), ...change })).toEqual([fault])
})

test('a choice is told with those there are', () => {
  const [fault] = faultsIn(incomingProject, { ...aProject(), category: 'boats' })
  expect(fault).toMatchObject({ field: 'category', fault: 'not_a_choice', names: expect.arrayContaining(['ships']) })
})

test('so are the faults of accounts and messages', () => {
  expect(faultsIn(newAdmin, { username: 'ab', password: 'long enough' })).toEqual([
    { field: 'username', fault: 'too_short', limit: 3 },
  ])
  expect(faultsIn(newAdmin, { username: 'An\u200da', password: 'long enough' })).toEqual([
    { field: 'username', fault: 'unseen_characters' },
  ])
  const contact = { name: 'Ana', email: 'nowhere', message: 'Hello' }
  expect(faultsIn(contactDraft, contact)).toEqual([{ field: 'email', fault: 'not_an_email' }])
  expect(faultsIn(incomingContact, null)).toEqual([{ field: '', fault: 'not_a_record' }])
})

test('a name is shown cut, and without what would steer a terminal', () => {
  expect(shownName(`\u001b[2J${'x'.repeat(100)}`)).toBe(`\ufffd[2J${'x'.repeat(76)}`)
})
