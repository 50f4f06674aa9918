import { isReserved } from '#contract/projects.ts'
import { someAtATime } from '../../database/slices.ts'
import type { Db } from '../../database/tables.ts'

type Named = { id: string; title: string; addresses?: readonly string[] | undefined }

/**
 * The address each project has from now on, by its id: one it brings along or one made of its title, whichever is still free
 * or its own already. What it was called before stays its own. To be called in a transaction.
 */
export async function giveAddresses(tx: Db, projects: readonly Named[]) {
  const slugs = new Map<string, string>()
  for await (const some of someAtATime(projects)) {
    let waiting = some.map(({ id, title, addresses = [] }) => ({ id, wishes: [...addresses, ...slugsOf(title, id)] }))
    while (waiting.length > 0) {
      const addresses = waiting.map(({ id, wishes }) => ({ slug: wishes[0] ?? id, projectId: id }))
      await insertAddresses(tx, addresses)
      const taken = addresses.map(({ slug }) => slug)
      const owners = await tx.selectFrom('projectAddresses').selectAll().where('slug', 'in', taken).execute()
      const ownerOf = new Map(owners.map(({ slug, projectId }) => [slug, projectId]))
      for (const { slug, projectId } of addresses) if (ownerOf.get(slug) === projectId) slugs.set(projectId, slug)
      waiting = waiting.filter(({ id }) => !slugs.has(id)).map(({ id, wishes }) => ({ id, wishes: wishes.slice(1) }))
    }
  }
  return slugs
}

/** Skips those that are taken. */
export async function insertAddresses(tx: Db, addresses: readonly { slug: string; projectId: string }[]) {
  for await (const some of someAtATime(addresses)) {
    await tx
      .insertInto('projectAddresses')
      .values(some)
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .execute()
  }
}

const longest = 60

/** What a project may be called in an address, the best first; the last is always free. */
export function slugsOf(title: string, id: string) {
  const slug = slugOf(title)
  const withId = [`${slug}-${id.slice(0, 4)}`, `${slug}-${id}`]
  return isReserved(slug) ? withId : [slug, ...withId]
}

/** Of the letters and digits every keyboard has; words are left out rather than cut. */
function slugOf(title: string) {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  const cut =
    words.length > longest
      ? words
          .slice(0, longest + 1)
          .replace(/-[^-]*$/, '')
          .slice(0, longest)
      : words
  return cut || 'model'
}
