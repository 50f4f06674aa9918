import { expect, test } from 'vitest'
import { allContacts } from '#tests/all-records.ts'
import { aContact, storeContact } from '#tests/factories.ts'
import { openTestDatabase } from '#tests/test-database.ts'

const aMessage = (number: number) => ({
  ...aContact(),
  projectType: null,
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  createdAt: '2026-05-01T12:00:00.000Z',
})

test('who only reads does not wait for the end of a transaction, and sees nothing of it before', async () => {
  const { db } = await openTestDatabase('sqlite')
  const written = db.transaction().execute(async (tx) => {
    await storeContact(tx, aMessage(1))
    expect(await allContacts(db)).toEqual([])
    expect(await allContacts(tx)).toHaveLength(1)
  })
  await written
  expect(await allContacts(db)).toHaveLength(1)
})

test('who writes waits for it, one after the other', async () => {
  const { db } = await openTestDatabase('sqlite')
  const order: string[] = []
  const long = db.transaction().execute(async (tx) => {
    await storeContact(tx, aMessage(1))
    const other = storeContact(db, aMessage(2)).then(() => order.push('the other'))
    await allContacts(db)
    order.push('the transaction')
    return { other }
  })
  await (await long).other
  expect(order).toEqual(['the transaction', 'the other'])
  expect(await allContacts(db)).toHaveLength(2)
})

test('a transaction that fails leaves the line, and nothing behind', async () => {
  const { db } = await openTestDatabase('sqlite')
  const failing = db.transaction().execute(async (tx) => {
    await storeContact(tx, aMessage(1))
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await expect(storeContact(db, aMessage(2)).then(() => storeContact(db, aMessage(2)))).rejects.toThrow()
  await storeContact(db, aMessage(3))
  expect((await allContacts(db)).map(({ id }) => Number(id.slice(-1)))).toEqual([2, 3])
})
