import { createBackups } from '../backup/create-backups.ts'
import { systemClock as clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/open.ts'
import { createEncoder, encoderProcess } from '../features/images/encoder.ts'
import { createImages } from '../features/images/images.ts'
import { openLog } from '../log.ts'
import { ownProgram } from '../own-program.ts'
import type { Storage } from '../storage/storage.ts'

export type Site = Awaited<ReturnType<typeof openSite>>

export async function openSite(config: Config, { database, storage }: { database: Database; storage: Storage }) {
  const encoder = await openEncoder()
  // The running site notices what is new by itself, and makes variants when they are asked for.
  const images = createImages({ database, storage, clock, encoder, variants: { prepare() {} } })
  const backups = createBackups({ database, storage, clock, images, secret: config.backupSecret })
  const close = async () => {
    await encoder.stop()
    await database.close()
  }
  return { config, database, backups, storage, close }
}

export async function openEncoder() {
  return createEncoder(encoderProcess({ ...ownProgram('encoder'), log: await openLog({ logLevel: 'silent' }) }))
}
