import { createHash } from 'node:crypto'
import { ofPresentVersion } from '#contract/project-fields.ts'
import { canonical, type ExportHead, type RecordList } from './export.rules.ts'

/** Until version 6 a complete backup held an export. */
export const olderDataName = 'data.json'

/** Of a file that names no version as well. */
export function isOlder(version: number | undefined) {
  return version === undefined || version < 7
}

/** A record as the present version has it: until 5 translations were fields of their own. */
export function ofOlderVersion(list: RecordList, record: unknown) {
  return list === 'projects' ? ofPresentVersion(record) : record
}

/** Until version 6 the sum began with the head; version 1 had none. */
export function sumOfOlderExport({ sha256: _sum, ...head }: ExportHead, records: readonly unknown[]) {
  const sum = createHash('sha256').update(canonical(head))
  for (const record of records) sum.update(`\n${canonical(record)}`)
  return sum.digest('hex')
}
