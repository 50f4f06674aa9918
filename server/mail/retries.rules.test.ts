import { describe, expect, test } from 'vitest'
import { attemptTimeout, mostAttempts, soonestRetry, verdictOn, waitAfter } from './retries.rules.ts'

const minutes = (milliseconds: number) => milliseconds / 60_000

describe('attempts', () => {
  test('come after growing waits, the last one within two days, and each ends before the next one begins', () => {
    const waits = Array.from({ length: mostAttempts - 1 }, (_, index) => waitAfter(index + 1))
    expect(waits.map(minutes)).toEqual([1, 5, 15, 60, 120, 240, 480, 480, 480, 480, 480])
    const last = waits.reduce((sum, wait) => sum + wait, 0)
    expect(minutes(last)).toBeLessThanOrEqual(48 * 60)
    expect(minutes(last + waitAfter(mostAttempts))).toBeGreaterThan(48 * 60)
    expect(attemptTimeout).toBeLessThan(Math.min(...waits))
  })

  test.each([
    ['never tried', 'waiting', 0, 0, 0],
    ['under way since ten seconds', 'waiting', 3, 15 * 60 - 10, 50],
    ['tried two minutes ago', 'waiting', 3, 13 * 60, 0],
    ['given up just now', 'failed', 12, 0, 0],
  ] as const)('one that was %s can be tried again when no attempt is under way', (_, state, attempts, next, soonest) => {
    const now = new Date('2026-05-01T12:00:00.000Z')
    const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000)
    expect(soonestRetry({ state, attempts, nextAttemptAt: inSeconds(next).toISOString() }, now)).toEqual(inSeconds(soonest))
  })
})

describe('what went wrong', () => {
  const refused = (code: string, command: string, response: string) => ({
    message: `Something failed: ${response}`,
    code,
    command,
    response,
    permanent: response.startsWith('5') && !response.startsWith('503'),
  })

  test.each([
    ['a recipient that does not exist', refused('EENVELOPE', 'RCPT TO', '550 5.1.1 No such user'), true, false],
    ['a message that is not wanted', refused('EMESSAGE', 'DATA', '554 5.7.1 Spam'), true, false],
    ['an impossible address', { message: 'Invalid recipient "a b"', code: 'EENVELOPE', command: 'API' }, true, false],
    ['a server that wants it later', refused('EENVELOPE', 'RCPT TO', '451 4.7.1 Greylisted'), false, false],
    ['a session in disorder', refused('EENVELOPE', 'DATA', '503 Bad sequence of commands'), false, false],
    ['a server that closes', refused('EENVELOPE', 'RCPT TO', '421 Too many mails'), false, true],
    ['a sender that is not allowed', refused('EENVELOPE', 'MAIL FROM', '553 5.7.1 Not your address'), false, true],
    ['a wrong password', refused('EAUTH', 'AUTH PLAIN', '535 5.7.8 Not accepted'), false, true],
    ['no server', { message: 'connect ECONNREFUSED 127.0.0.1:1', code: 'ESOCKET', command: 'CONN' }, false, true],
    ['a line that was dropped', { message: 'Connection closed unexpectedly', code: 'ECONNECTION' }, false, true],
    ['no answer in time', { message: 'The mail server did not finish within 45 seconds.' }, false, true],
  ])('%s', (_, failure, isFinal, concernsAll) => {
    const reason = 'response' in failure ? failure.response : failure.message
    expect(verdictOn(failure)).toEqual({ reason, isFinal, concernsAll })
  })

  test('is told in one line, and not in a thousand words', () => {
    const response = `550-5.1.1 First\r\n550-5.1.1\tSecond\r\n550 5.1.1 ${'x'.repeat(1_000)}`
    const { reason } = verdictOn(refused('EENVELOPE', 'RCPT TO', response))
    expect(reason).toMatch(/^550-5\.1\.1 First 550-5\.1\.1 Second 550 5\.1\.1 x+…$/)
    expect(reason).toHaveLength(300)
  })
})
