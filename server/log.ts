import { pino } from 'pino'
import type { Config } from './config.ts'

/** JSON lines; readable lines on a terminal. */
export async function openLog({ logLevel }: Pick<Config, 'logLevel'>) {
  const options = { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  if (!process.stdout.isTTY) return pino(options)
  const { default: pretty } = await import('pino-pretty')
  return pino(options, pretty({ translateTime: 'HH:MM:ss', ignore: 'pid,hostname', sync: true }))
}
