import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

// The checks take one core each: one after the other they leave half of a small machine idle.
const commands = process.argv.slice(2)
const succeeded = await Promise.all(commands.map((command, index) => run(command, index === commands.length - 1)))
for (const [index, command] of commands.entries()) if (!succeeded[index]) console.error(`Failed: ${command}`)
process.exitCode = succeeded.every(Boolean) ? 0 : 1

/** The last command prints as it goes on; each other one when it has ended, so that no two are mixed. */
async function run(command: string, isLast: boolean) {
  const child = spawn(`${command} 2>&1`, { shell: true, stdio: ['ignore', isLast ? 'inherit' : 'pipe', 'inherit'] })
  const [said, [code]] = await Promise.all([child.stdout ? text(child.stdout) : '', once(child, 'close')])
  process.stdout.write(`> ${command}\n${said}\n`)
  return code === 0
}
