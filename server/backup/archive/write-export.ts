import { backupVersion, exportFormat } from '#contract/backups.ts'
import type { NamedProjects } from '#contract/problems.ts'
import { shownName } from '#contract/value-fault.ts'
import type { Db } from '#server/database/tables.ts'
import { isReadable, recordLists, startChecksum } from './export.rules.ts'
import * as queries from './records.queries.ts'
import { readableSite } from './site.rules.ts'

/** What a backup holds; without what an import would refuse, for which the whole file would be refused. */
export type Readable = Awaited<ReturnType<typeof findReadable>>

/** To be read in the snapshot of the export. */
export async function findReadable(db: Db) {
  const counts = { projects: 0, contacts: 0 }
  const unreadable = new Set<string>()
  const names: string[] = []
  const sent = new Set<string>()
  for (const list of recordLists) {
    for await (const records of queries.eachRecord(db, list)) {
      for (const record of records) {
        if (isReadable(list, record)) {
          counts[list] += 1
          if ('email' in record) for (const hash of record.photos) sent.add(hash)
        } else {
          unreadable.add(record.id)
          names.push(shownName('title' in record ? record.title : record.name).trim() || record.id)
        }
      }
    }
  }
  const published = await queries.findSite(db)
  const fields = readableSite(published?.fields ?? {})
  const isOfSite = Object.keys(fields).length < Object.keys(published?.fields ?? {}).length
  const site = published && { ...published, fields }
  return { counts, unreadable, site, sent, leftOut: namedProjects(names, isOfSite) }
}

export function countNamed({ projects, others, site }: NamedProjects) {
  return projects.length + others + (site ? 1 : 0)
}

/** Projects, messages and the texts of the site as JSON, a record to a line, as long as it may be. To be read in a snapshot. */
export async function* exportText(db: Db, createdAt: string, { counts, site, unreadable }: Readable): AsyncGenerator<string> {
  const head = { format: exportFormat as typeof exportFormat, version: backupVersion, createdAt, counts, site }
  const sum = startChecksum(head)
  yield JSON.stringify(head).replace(/\}$/, '')
  for (const list of recordLists) {
    yield `,\n"${list}": [`
    let before = '\n'
    for await (const all of queries.eachRecord(db, list)) {
      const records = all.filter(({ id }) => !unreadable.has(id))
      if (records.length === 0) continue
      for (const record of records) sum.add(record)
      yield before + records.map((record) => JSON.stringify(record)).join(',\n')
      before = ',\n'
    }
    yield '\n]'
  }
  yield `,\n"sha256": "${sum.digest()}"}\n`
}

const mostNamed = 3

/** The first few by their titles, and how many there are besides; and whether the site itself is one of the owners. */
export function namedProjects(titles: readonly string[], isOfSite: boolean): NamedProjects {
  const projects = titles.slice(0, mostNamed)
  return { projects, others: titles.length - projects.length, ...(isOfSite && { site: true }) }
}
