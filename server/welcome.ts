import type { FastifyInstance } from 'fastify'
import { demoAccount } from '#demo/account.ts'
import type { Config } from './config.ts'
import type { Database } from './database/open.ts'

type Facts = { app: FastifyInstance; config: Config; database: Database; demo: boolean }

/** What the person who started it wants to know. */
export function welcome({ app, config, database, demo }: Facts) {
  const bound = app.server.address()
  const port = typeof bound === 'object' && bound ? bound.port : config.port
  const address = config.publicUrl ?? `http://${config.loopbackOnly ? 'localhost' : config.host}:${port}`
  const records = database.dialect === 'sqlite' ? config.dataDir : 'PostgreSQL'
  const photos = config.bucket ? `the bucket ${config.bucket.bucket}` : config.dataDir
  const lines = [
    ['Site', address],
    ['Admin', `${address}/admin/login`],
    ['Data', records === photos ? records : `${records}, photos in ${photos}`],
    demo
      ? ['Sign in', `${demoAccount.username} / ${demoAccount.password} (demo account, reachable from this machine only)`]
      : ['Sign in', 'with your account; npm run admin -- reset <username> if the password is lost'],
  ]
  return `\n${lines.map(([name, value]) => `  ${name?.padEnd(8)}${value}`).join('\n')}\n\n`
}
