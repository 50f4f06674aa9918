import type { FastifyInstance } from 'fastify'
import { demoAdmin } from '#demo/admin.ts'
import type { Config } from '../config.ts'

type Facts = { app: FastifyInstance; config: Config; demo: boolean }

/** What the person who started it wants to know. */
export function welcome({ app, config, demo }: Facts) {
  const bound = app.server.address()
  const port = typeof bound === 'object' && bound ? bound.port : config.port
  const address = config.publicUrl ?? `http://${config.loopbackOnly ? 'localhost' : config.host}:${port}`
  const records = config.databaseUrl ? 'PostgreSQL' : config.dataDir
  const photos = config.bucket ? `the bucket ${config.bucket.bucket}` : config.dataDir
  const lines = [
    ['Site', address],
    ['Admin', `${address}/admin/login`],
    ['Data', records === photos ? records : `${records}, photos in ${photos}`],
    demo
      ? ['Sign in', `${demoAdmin.username} / ${demoAdmin.password} (demo account, reachable from this machine only)`]
      : ['Sign in', 'with your account; npm run admin -- reset <username> if the password is lost'],
  ]
  return `\n${lines.map(([name, value]) => `  ${name?.padEnd(8)}${value}`).join('\n')}\n\n`
}
