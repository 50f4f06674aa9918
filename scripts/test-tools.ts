import { accessSync, constants, readdirSync } from 'node:fs'
import path from 'node:path'

/** What the tests need beyond npm packages. Undefined when the machine does not have it. */
export function findChromium(): string | undefined {
  const given = process.env.CHROMIUM_PATH
  if (given) return isProgram(given) ? given : undefined
  return findHeadlessShell() ?? programNamed('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable')
}

/** Chromium without windows: the same engine, and the journeys take half the time. */
export function findHeadlessShell(): string | undefined {
  return programNamed('chromium-headless-shell')
}

/** The folder with PostgreSQL's server programs; Debian keeps it off the PATH, one for each version. */
export function findPostgres(): string | undefined {
  const given = process.env.POSTGRES_BIN
  if (given) return hasServer(given) ? given : undefined
  return [...foldersOnPath(), ...debianFolders()].find(hasServer)
}

/** The folder with the programs of Ceph, whose gateway is the tests' S3 server. */
export function findCeph(): string | undefined {
  const given = process.env.CEPH_BIN
  if (given) return hasCeph(given) ? given : undefined
  return foldersOnPath().find(hasCeph)
}

function hasCeph(folder: string) {
  return ['ceph', 'ceph-authtool', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin'].every((name) =>
    isProgram(path.join(folder, name)),
  )
}

function hasServer(folder: string) {
  return ['initdb', 'postgres'].every((name) => isProgram(path.join(folder, name)))
}

function debianFolders() {
  const root = '/usr/lib/postgresql'
  const versions = namesIn(root).toSorted((a, b) => Number(b) - Number(a))
  return versions.map((version) => path.join(root, version, 'bin'))
}

function namesIn(folder: string) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function foldersOnPath() {
  return (process.env.PATH ?? '').split(path.delimiter).filter(Boolean)
}

function programNamed(...names: string[]) {
  return names.flatMap((name) => foldersOnPath().map((folder) => path.join(folder, name))).find(isProgram)
}

function isProgram(file: string) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
