import { format } from 'node:util'
import { afterAll, afterEach } from 'vitest'

let noise: string[] = []

for (const level of ['debug', 'log', 'info', 'warn', 'error', 'trace'] as const) {
  console[level] = (...args: unknown[]) => {
    noise.push(`console.${level}: ${format(...args)}`)
  }
}
const onWarning = (warning: Error) => {
  noise.push(`process warning: ${warning.stack}`)
}
process.on('warning', onWarning)

function failOnNoise() {
  const heard = noise
  noise = []
  if (heard.length > 0) throw new Error(`Something was written that was not expected:\n${heard.join('\n')}`)
}

afterEach(failOnNoise)
afterAll(failOnNoise)
// A worker runs many files, and this one again before each of them.
afterAll(() => process.off('warning', onWarning))
