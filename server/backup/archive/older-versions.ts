import { ofPresentVersion } from '#contract/project-fields.ts'
import type { RecordList } from './export.rules.ts'

/** Until version 6 a complete backup held an export. */
export const olderDataName = 'data.json'

/** Also of a file that names no version. */
export function isOlder(version: number | undefined) {
  return version === undefined || version < 7
}

/** A record as the present version has it: until 5 translations were fields of their own. */
export function ofOlderVersion(list: RecordList, record: unknown) {
  return list === 'projects' ? ofPresentVersion(record) : record
}

/** What the sum is made of, in its order: until version 6 the head came first. Version 1 had none. */
export function summedInOrder(version: number | undefined, head: object, records: readonly unknown[]) {
  return isOlder(version) ? [head, ...records] : [...records, head]
}
