import { pino } from 'pino'
import { onTestFinished } from 'vitest'

type LoggedProblem = {
  level: number
  msg: string
  reqId?: string
  err?: { type: string; message: string; stack: string }
}

/** A log that writes nowhere. An error in it that the test does not take out again fails the test. */
export function testLog() {
  const problems: LoggedProblem[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => problems.push(JSON.parse(line)) })
  onTestFinished(() => {
    if (problems.length > 0) throw new Error(`Logged, and not expected:\n${problems.map(describe).join('\n')}`)
  })
  return { log, problems }
}

function describe({ msg, err }: LoggedProblem) {
  return err ? `${msg}: ${err.stack}` : msg
}
