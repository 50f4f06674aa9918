import { backupVersion } from '#contract/backups.ts'
import type { FileFault } from '#contract/problems.ts'
import { shownName } from '#contract/value-fault.ts'
import { Problem } from '#server/http/problem.ts'
import { StorageFailed } from '#server/storage/storage.ts'

/** A refusal of the whole file. People are told the code; cause and entry are for the log and the console. */
export function fileFault(code: FileFault, cause: string, entry?: string, error?: unknown) {
  return new Problem(code, { details: { cause, ...(entry !== undefined && { entry: shownName(entry) }) }, cause: error })
}

/** An error of a library is a fault of the file; one of the disk or the storage is not. */
export function asFileFault(error: unknown) {
  if (error instanceof Problem || error instanceof StorageFailed) return error
  const { code, message } = error as NodeJS.ErrnoException
  return code && /^E[A-Z]+$/.test(code) ? error : fileFault('file_damaged', shownName(message, 200), undefined, error)
}

/** Before anything else is judged: a newer version may have parts that are not known to this release. */
export function refuseNewer(data: unknown) {
  const { version } = (data ?? {}) as { version?: unknown }
  if (!Number.isSafeInteger(version) || Number(version) <= backupVersion) return
  throw new Problem('backup_too_new', { details: { version: Number(version), newest: backupVersion } })
}

/** The object, a list in it, a record, its photos, one of them, its translations, and one of those. */
const mostDepth = 7
/** JavaScript gives these a meaning. */
const neverKeys = ['__proto__', 'constructor', 'prototype']

/** JSON out of a file, without what would harm a program that walks through it. */
export function parseJson(text: string, entry?: string): unknown {
  try {
    refuseDepth(text)
    const value: unknown = JSON.parse(text)
    refuseKeys(value)
    return value
  } catch (error) {
    // What begins like a file of ours was one.
    const isCut = error instanceof SyntaxError && text.trimStart().startsWith('{')
    throw fileFault(isCut ? 'file_damaged' : 'not_a_backup', shownName((error as Error).message), entry, error)
  }
}

/** Before it is parsed: brackets by the million would take gigabytes. */
function refuseDepth(text: string) {
  let depth = 0
  let isInText = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (isInText && sign === '\\') at += 1
    else if (sign === '"') isInText = !isInText
    else if (!isInText && (sign === '[' || sign === '{')) depth += 1
    else if (!isInText && (sign === ']' || sign === '}')) depth -= 1
    if (depth > mostDepth) throw new Error('Its JSON is nested too deeply.')
  }
}

function refuseKeys(value: unknown) {
  if (typeof value !== 'object' || value === null) return
  if (neverKeys.some((key) => Object.hasOwn(value, key))) throw new Error('Its JSON has a key of JavaScript.')
  for (const part of Object.values(value)) refuseKeys(part)
}

/** Other encodings would become other texts without an error. */
export function utf8(content: Uint8Array) {
  return new TextDecoder('utf-8', { fatal: true }).decode(content)
}
