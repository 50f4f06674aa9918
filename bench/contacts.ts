import { randomUUID } from 'node:crypto'
import { type ContactMessage, deleteContact, listContacts } from '#contract/contacts.admin.ts'
import { demoAdmin } from '#demo/admin.ts'
import { openDatabase } from '#server/database/open.ts'
import { startBuiltSite } from '#tests/built-site.ts'
import { signInAt } from '#tests/calls.ts'
import { storeContact } from '#tests/factories.ts'
import { median, withSite } from './site.ts'

const count = 10_000
const deletions = 200

/** Ten thousand inquiries: how long to list them, to delete some, and what a visitor notices meanwhile. */
export function benchContacts() {
  return withSite(async (first, dataDir) => {
    await first.stop()
    await addContacts(dataDir)
    const site = await startBuiltSite({ DATA_DIR: dataDir, RATE_LIMITS: 'off' })
    try {
      const cookie = await signInAt(site.url, demoAdmin)
      const lists: number[] = []
      let contacts: ContactMessage[] = []
      for (let round = 0; round < 5; round += 1) {
        const began = performance.now()
        contacts = (await (
          await fetch(new URL(listContacts.path, site.url), { headers: { cookie } })
        ).json()) as ContactMessage[]
        lists.push(performance.now() - began)
      }
      const visits: number[] = []
      const deletes: number[] = []
      for (const { id } of contacts.slice(0, deletions)) {
        deletes.push(
          await time(new URL(deleteContact.path.replace(':id', id), site.url), { method: 'DELETE', headers: { cookie } }),
        )
        visits.push(await time(new URL(site.url)))
      }
      return {
        listed: contacts.length,
        listMilliseconds: Math.round(median(lists)),
        deleteMilliseconds: { median: round(median(deletes)), slowest: round(Math.max(...deletes)) },
        visitorMilliseconds: { median: round(median(visits)), slowest: round(Math.max(...visits)) },
      }
    } finally {
      await site.stop()
    }
  })
}

async function addContacts(dataDir: string) {
  const { db, close } = await openDatabase({ dataDir })
  await db.transaction().execute(async (tx) => {
    for (let index = 0; index < count; index += 1) {
      const createdAt = new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString()
      const message = `Could you build number ${index}? `.repeat(8)
      await storeContact(tx, {
        id: randomUUID(),
        name: `Visitor ${index}`,
        email: 'visitor@example.com',
        projectType: 'ship',
        message,
        createdAt,
      })
    }
  })
  await close()
}

async function time(url: URL, init?: RequestInit) {
  const began = performance.now()
  const response = await fetch(url, init)
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return performance.now() - began
}

function round(milliseconds: number) {
  return Math.round(milliseconds * 10) / 10
}
