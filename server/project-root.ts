import { existsSync } from 'node:fs'
import path from 'node:path'

/** The folder with package.json, whether this runs from source or from dist/. */
export const projectRoot = findRoot(import.meta.dirname)

function findRoot(folder: string): string {
  if (existsSync(path.join(folder, 'package.json'))) return folder
  const parent = path.dirname(folder)
  if (parent === folder) throw new Error('The project folder was not found: there is no package.json above this file.')
  return findRoot(parent)
}
