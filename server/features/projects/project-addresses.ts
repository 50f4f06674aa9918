import { isReserved } from '#contract/projects.ts'
import { someAtATime } from '../../database/slices.ts'
import type { Db } from '../../database/tables.ts'

type Named = { id: string; title: string; addresses?: readonly string[] | undefined }

/**
 * Each project's slug: a supplied one or one from its title, the first that is free or its own. Earlier ones stay its own.
 * Call it in a transaction.
 */
export async function giveAddresses(tx: Db, projects: readonly Named[]) {
  const slugs = new Map<string, string>()
  for await (const some of someAtATime(projects)) {
    let waiting = some.map(({ id, title, addresses = [] }) => ({ id, candidates: [...addresses, ...slugsOf(title, id)] }))
    while (waiting.length > 0) {
      const addresses = waiting.map(({ id, candidates }) => ({ slug: candidates[0] ?? id, projectId: id }))
      await insertAddresses(tx, addresses)
      const taken = addresses.map(({ slug }) => slug)
      const owners = await tx.selectFrom('projectAddresses').selectAll().where('slug', 'in', taken).execute()
      const ownerOf = new Map(owners.map(({ slug, projectId }) => [slug, projectId]))
      for (const { slug, projectId } of addresses) if (ownerOf.get(slug) === projectId) slugs.set(projectId, slug)
      waiting = waiting
        .filter(({ id }) => !slugs.has(id))
        .map(({ id, candidates }) => ({ id, candidates: candidates.slice(1) }))
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

/** The candidates for a slug, the best first; the last is always free. */
export function slugsOf(title: string, id: string) {
  const slug = slugOf(title)
  const withId = [`${slug}-${id.slice(0, 4)}`, `${slug}-${id}`]
  return isReserved(slug) ? withId : [slug, ...withId]
}

/** ASCII letters and digits, shortened between words. */
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
