import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { projectRoot } from '#server/own-program.ts'

const notOurs = new Set(['node_modules', 'dist', 'data', 'test-results', '.git'])

/** Every file of the repository, by its path from the root. */
export function sourceFiles(folder = ''): string[] {
  return readdirSync(path.join(projectRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name)
    if (entry.isDirectory()) return notOurs.has(entry.name) ? [] : sourceFiles(file)
    return [file]
  })
}

export function read(file: string) {
  return readFileSync(path.join(projectRoot, file), 'utf8')
}
