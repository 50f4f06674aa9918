import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { backupVersion, exportFormat } from '#contract/backups.ts'
import type { NamedProjects } from '#contract/problems.ts'
import type { OwnFields } from '#contract/site-fields.ts'
import { shownName } from '#contract/value-fault.ts'
import type { Database } from '#server/database/open.ts'
import type { Db } from '#server/database/tables.ts'
import type { Draft } from '#server/storage/storage.ts'
import { asSummed, isReadable, type RecordList, recordLists } from './export.rules.ts'
import * as queries from './records.queries.ts'
import { readableSite } from './site.rules.ts'

/** Projects, messages and the texts of the site as one JSON object, a record to a line, as they are at one moment. */
export function writeExport(draft: Draft, { database }: { database: Database }, { now }: { now: Date }) {
  return database.snapshot(async (tx) => {
    const readable = await openReadable(tx)
    await draft.write(Readable.from(exportText(readable, now), { objectMode: false }))
    return readable.leftOut()
  })
}

async function* exportText(readable: ReadableRecords, now: Date): AsyncGenerator<string> {
  const begin = { format: exportFormat, version: backupVersion, createdAt: now.toISOString() }
  const sum = createHash('sha256')
  yield JSON.stringify(begin).replace(/\}$/, '')
  for (const list of recordLists) {
    yield `,\n"${list}": [`
    let before = '\n'
    for await (const records of readable.records(list)) {
      for (const record of records) {
        sum.update(`${asSummed(record)}\n`)
        yield before + JSON.stringify(record)
        before = ',\n'
      }
    }
    yield '\n]'
  }
  const end = { counts: readable.counts, site: readable.site }
  sum.update(asSummed({ ...begin, ...end }))
  yield `,\n${JSON.stringify({ ...end, sha256: sum.digest('hex') }).slice(1)}\n`
}

type ReadableRecords = Awaited<ReturnType<typeof openReadable>>

/** What a backup holds; without what an import would refuse, for which the whole file would be refused. */
export async function openReadable(db: Db) {
  const counts = { projects: 0, contacts: 0 }
  const names: string[] = []
  const published = await queries.findSite(db)
  const fields: OwnFields = readableSite(published?.fields ?? {})
  const isOfSite = Object.keys(fields).length < Object.keys(published?.fields ?? {}).length

  /** To be read to the end before counts and names are asked for. */
  async function* records<List extends RecordList>(list: List): AsyncGenerator<queries.RecordOf[List][]> {
    for await (const all of queries.eachRecord(db, list)) {
      const readable = all.filter((record) => isReadable(list, record))
      counts[list] += readable.length
      const others = all.filter((record) => !readable.includes(record))
      names.push(...others.map((each) => shownName('title' in each ? each.title : each.name).trim() || each.id))
      yield readable
    }
  }

  return {
    counts,
    site: published && { ...published, fields },
    records,
    /** How many records are missing, because an import would refuse them, and which. */
    leftOut() {
      return { missingRecords: names.length + (isOfSite ? 1 : 0), leftOut: namedProjects(names, isOfSite) }
    },
  }
}

/** The first few by their titles, and how many there are besides; and whether the site itself is one of the owners. */
export function namedProjects(titles: readonly string[], isOfSite: boolean, most = 3): NamedProjects {
  const projects = titles.slice(0, most)
  return { projects, others: titles.length - projects.length, ...(isOfSite && { site: true }) }
}
