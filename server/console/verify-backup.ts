import { missingFromBackup, recordsMissingFrom } from '#contract/backups.ts'
import { readArchive } from '../backup/archive/read-archive.ts'
import { checkExport } from '../backup/archive/read-export.ts'
import type { Config } from '../config.ts'
import { quickCheck } from '../database/sqlite.ts'
import { piecesOf } from '../storage/pieces-of.ts'
import type { OpenFile } from '../storage/storage.ts'
import { isDatabaseBackup, isExport, withFileAlone } from './backup-file.ts'
import { openEncoder } from './backup-site.ts'
import { complain, numbers, print, withProgress } from './say.ts'
import { WrongUse } from './wrong-use.ts'

/** Needs no site: a copy is verified wherever it is kept. */
export function verify(config: Config, asked: string) {
  return withFileAlone(asked, config, async ({ file, name }) => {
    if (isExport(name)) {
      const { counts } = await checkExport(() => piecesOf(file))
      return print(`Whole: ${counts.projects} projects, ${counts.contacts} messages.`)
    }
    if (isDatabaseBackup(name)) {
      if (!file.file || !name.endsWith('.sqlite'))
        throw new WrongUse('Only PostgreSQL itself can read that: docs/deploy.md says how.')
      quickCheck(file.file, { readOnly: true })
      return print('Whole: a database of this site.')
    }
    const { counts, createdAt } = await verifyArchive(file)
    print(`Whole: ${numbers(counts)}, made ${createdAt}.`)
    const photos = missingFromBackup(name)
    const records = recordsMissingFrom(name)
    if (photos + records === 0) return
    if (photos > 0) complain(`Missing from it since it was made: ${photos} photos.`)
    if (records > 0) complain(`Missing from it since it was made: ${records} records.`)
    process.exitCode = 3
  })
}

async function verifyArchive(file: OpenFile) {
  const encoder = await openEncoder()
  const read = withProgress((progress) => readArchive(file, { judge: encoder.judge, progress }))
  return (await read.finally(encoder.stop)).manifest
}
