import { accessSync, constants, readdirSync } from 'node:fs'
import path from 'node:path'

/** The folders in which a shell would look for a program. */
export function foldersOnPath() {
  return (process.env.PATH ?? '').split(path.delimiter).filter(Boolean)
}

/** Where Debian keeps PostgreSQL's programs, off the PATH: a folder for each version, the newest first. */
export function debianPostgresFolders() {
  const root = '/usr/lib/postgresql'
  const versions = namesIn(root).toSorted((a, b) => Number(b) - Number(a))
  return versions.map((version) => path.join(root, version, 'bin'))
}

export function isProgram(file: string) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function namesIn(folder: string) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
