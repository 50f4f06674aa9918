import path from 'node:path'
import { projectRoot } from './project-root.ts'

/** What the process that decodes and encodes photos runs. */
export function encoderProgram(development: boolean) {
  if (!development) return { file: path.join(projectRoot, 'dist/server/encoder.js') }
  return { file: path.join(projectRoot, 'server/features/images/encoder-entry.ts'), execArgv: ['--import', 'tsx'] }
}
