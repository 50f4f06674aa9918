import path from 'node:path'
import { projectRoot } from './project-root.ts'

const sources = {
  encoder: 'server/features/images/encoder-entry.ts',
  'sqlite-copy': 'server/database/sqlite-copy-entry.ts',
  'offsite-folder': 'server/features/backups/elsewhere/folder-entry.ts',
} as const

/** A program of ours that runs beside the site: what was built with it, or its source while developing. */
export function ownProgram(name: keyof typeof sources) {
  const isSource = import.meta.url.endsWith('.ts')
  if (!isSource) return { file: path.join(projectRoot, 'dist/server', `${name}.js`) }
  return { file: path.join(projectRoot, sources[name]), execArgv: ['--import', 'tsx'] }
}
