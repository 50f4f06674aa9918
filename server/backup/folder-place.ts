import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { Problem } from '#server/http/problem.ts'
import { ownProgram } from '#server/own-program.ts'
import { openFile } from '#server/storage/open-file.ts'
import { StorageFailed } from '#server/storage/storage.ts'
import { backupsFolder, storedBackup } from './backup-names.ts'
import { copiesAmong } from './copy-names.ts'
import type { Place } from './offsite-target.ts'

const { PATH, TMPDIR } = process.env

/** A folder on another disk or on a share, which another process reads and writes. */
export function openFolderPlace(folder: string): Place {
  let last: Promise<unknown> = Promise.resolve()

  async function start(signal: AbortSignal, ...args: string[]) {
    // One that does not end when it is killed waits for the share; more of them would only wait beside it.
    await last
    const { file, execArgv = [] } = ownProgram('offsite-folder')
    const options = { env: { PATH, TMPDIR }, signal, killSignal: 'SIGKILL' } as const
    const child = spawn(process.execPath, [...execArgv, file, folder, ...args], options)
    const said = text(child.stderr)
    const ended = once(child, 'close').then(async ([code]) => {
      if (code !== 0) throw new StorageFailed(new Error(await said))
    })
    last = new Promise((resolve) => child.once('error', () => child.pid ?? resolve(undefined)).once('exit', resolve))
    // Told to the one who waits for it.
    ended.catch(() => {})
    return { child, ended }
  }

  return {
    kind: 'folder',
    async list(signal, { hasCopies = false } = {}) {
      const { child, ended } = await start(signal, 'list', backupsFolder)
      const [answer] = await Promise.all([text(child.stdout), ended])
      const files: Parameters<typeof copiesAmong>[0] | null = JSON.parse(answer)
      if (!files && hasCopies) throw new Problem('elsewhere_empty')
      return copiesAmong(files ?? [])
    },
    async put(file, content, { bytes, signal, hasCopies }) {
      const { child, ended } = await start(signal, 'put', storedBackup(file), String(bytes), hasCopies ? '' : 'first')
      const [sent, kept] = await Promise.allSettled([pipeline(content, child.stdin), ended])
      // It says more than that it takes no more.
      if (kept.status === 'rejected') throw kept.reason
      if (sent.status === 'rejected') throw sent.reason
    },
    async read(file, signal) {
      const { child, ended } = await start(signal, 'read', storedBackup(file))
      const content = async function* () {
        yield* child.stdout
        await ended
      }
      return Readable.from(content(), { objectMode: false })
    },
    remove: async (file, signal) => (await start(signal, 'remove', storedBackup(file))).ended,
    // At the console, in front of a person who can end it.
    open: (file) =>
      openFile(path.join(folder, storedBackup(file))).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      }),
  }
}
