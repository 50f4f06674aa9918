import { format } from 'node:util'
import { afterAll, afterEach } from 'vitest'

let noise: string[] = []

for (const level of ['debug', 'log', 'info', 'warn', 'error', 'trace'] as const) {
  console[level] = (...words: unknown[]) => {
    noise.push(`console.${level}: ${format(...words)}`)
  }
}
process.on('warning', (warning) => {
  noise.push(`process warning: ${warning.stack}`)
})

function failOnNoise() {
  const heard = noise
  noise = []
  if (heard.length > 0) throw new Error(`Something was written that nobody expected:\n${heard.join('\n')}`)
}

afterEach(failOnNoise)
afterAll(failOnNoise)
