import path from 'node:path'
import { debianPostgresFolders, foldersOnPath, isProgram } from '#server/database/postgres-programs.ts'

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

/** The folder with PostgreSQL's server programs. */
export function findPostgres(): string | undefined {
  const given = process.env.POSTGRES_BIN
  if (given) return hasServer(given) ? given : undefined
  return [...foldersOnPath(), ...debianPostgresFolders()].find(hasServer)
}

/** The folder with the programs of Ceph, whose gateway is the tests' S3 server. */
export function findCeph(): string | undefined {
  const given = process.env.CEPH_BIN
  if (given) return hasCeph(given) ? given : undefined
  return foldersOnPath().find(hasCeph)
}

/** The program `age`, which opens what we encrypt. */
export function findAge(): string | undefined {
  const given = process.env.AGE_PATH
  if (given) return isProgram(given) ? given : undefined
  return programNamed('age')
}

function hasCeph(folder: string) {
  return ['ceph', 'ceph-authtool', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin'].every((name) =>
    isProgram(path.join(folder, name)),
  )
}

function hasServer(folder: string) {
  return ['initdb', 'postgres'].every((name) => isProgram(path.join(folder, name)))
}

function programNamed(...names: string[]) {
  return names.flatMap((name) => foldersOnPath().map((folder) => path.join(folder, name))).find(isProgram)
}
