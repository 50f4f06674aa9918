import { backupVersion } from '#contract/backups.ts'
import type { FileFault } from '#contract/problems.ts'
import { shownName } from '#contract/value-fault.ts'
import { Problem } from '#server/http/problem.ts'
import { StorageFailed } from '#server/storage/storage.ts'

/** A refusal of the whole file. People are told the code; `cause` is for the log and the console. */
export function fileFault(code: FileFault, cause: string, { entry, error }: { entry?: string; error?: unknown } = {}) {
  return new Problem(code, { details: { cause, ...(entry !== undefined && { entry: shownName(entry) }) }, cause: error })
}

/** An error of a library is a fault of the file; one of the disk or the storage is not. */
export function asFileFault(error: unknown) {
  if (error instanceof Problem || error instanceof StorageFailed) return error
  const { code, message } = error as NodeJS.ErrnoException
  if (code && /^E[A-Z]+$/.test(code)) return error
  return fileFault('file_damaged', shownName(message, 200), { error })
}

/** Before anything else is judged: a newer version may have parts that are not known to this release. */
export function refuseNewer(version: unknown) {
  if (!Number.isSafeInteger(version) || Number(version) <= backupVersion) return
  throw new Problem('backup_too_new', { details: { version: Number(version), newest: backupVersion } })
}

/** The object, a list in it, a record, its photos, one of them, its translations, and one of those. */
const mostDepth = 7
/** JavaScript gives these a meaning. */
const neverKeys = ['__proto__', 'constructor', 'prototype']

/** JSON out of a file, without what would harm a program that walks through it. */
export function parseJson(content: Uint8Array, entry: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(content))
  } catch (error) {
    // What begins like our own was one of ours.
    const isCut = Buffer.from(content.subarray(0, 200)).toString().trimStart().startsWith('{')
    throw fileFault(isCut ? 'file_damaged' : 'not_a_backup', 'It cannot be read as JSON.', { entry, error })
  }
  refuseHarm(value, entry, 0)
  return value
}

function refuseHarm(value: unknown, entry: string, depth: number) {
  if (typeof value !== 'object' || value === null) return
  if (depth === mostDepth) throw fileFault('not_a_backup', 'Its JSON is nested too deeply.', { entry })
  for (const key of neverKeys) {
    if (Object.hasOwn(value, key)) throw fileFault('not_a_backup', `Its JSON has the key ${key}.`, { entry })
  }
  for (const part of Object.values(value)) refuseHarm(part, entry, depth + 1)
}
