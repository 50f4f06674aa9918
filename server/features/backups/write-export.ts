import { backupVersion, exportFormat } from '#contract/backups.ts'
import type { Db } from '#server/database/tables.ts'
import * as queries from './backups.queries.ts'
import { recordLists, startChecksum } from './export.rules.ts'

/** Projects, messages and the texts of the site as JSON, a record to a line, as long as it may be. To be read in a snapshot. */
export async function* exportText(db: Db, createdAt: string): AsyncGenerator<string> {
  const head = {
    format: exportFormat as typeof exportFormat,
    version: backupVersion,
    createdAt,
    counts: await queries.countRecords(db),
    site: await queries.findSite(db),
  }
  const sum = startChecksum(head)
  yield JSON.stringify(head).replace(/\}$/, '')
  for (const list of recordLists) {
    yield `,\n"${list}": [`
    let before = '\n'
    for await (const records of queries.eachRecord(db, list)) {
      for (const record of records) sum.add(record)
      yield before + records.map((record) => JSON.stringify(record)).join(',\n')
      before = ',\n'
    }
    yield '\n]'
  }
  yield `,\n"sha256": "${sum.digest()}"}\n`
}
