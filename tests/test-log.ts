import { pino } from 'pino'
import { onTestFinished } from 'vitest'

export type LoggedLine = {
  level: number
  msg: string
  reqId?: string
  err?: { type: string; message: string; stack: string }
  [fact: string]: unknown
}

/** As pino numbers it. */
const error = 50

/** A log that writes nowhere. An error in it that the test does not take out again fails the test. */
export function testLog(onLogged?: (line: LoggedLine) => void) {
  const problems: LoggedLine[] = []
  const write = (text: string) => {
    const line: LoggedLine = JSON.parse(text)
    onLogged?.(line)
    if (line.level >= error) problems.push(line)
  }
  const log = pino({ level: onLogged ? 'info' : 'error' }, { write })
  onTestFinished(() => {
    if (problems.length > 0) throw new Error(`Logged, and not expected:\n${problems.map(describe).join('\n')}`)
  })
  return { log, problems }
}

function describe({ msg, err }: LoggedLine) {
  return err ? `${msg}: ${err.stack}` : msg
}
