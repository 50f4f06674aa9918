// Runs the built site on other releases of Node: npx tsx scripts/try-node.ts 20.19.0 22 24 26
// Linux only: the npm packages node-linux-<cpu> bring those programs. Needs `npm run build`, and what `npm test` needs.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Start, stop, sign in, upload, back up, restore, go back to a database backup. */
const tried = ['start-and-stop', 'admin-console', 'private-files', 'backup-console', 'built-archive', 'going-back']
const files = tried.map((name) => `tests/process/${name}.test.ts`)

const versions = process.argv.slice(2)
const brought = `node-linux-${process.arch}`
const outcomes = versions.map((version) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vitrina-node-'))
  try {
    // One of the tests starts the site as another account.
    chmodSync(folder, 0o755)
    const npm = ['install', '--no-save', '--no-package-lock', '--prefix', folder, `${brought}@${version}`]
    execFileSync('npm', npm, { stdio: 'ignore', cwd: folder })
    const node = path.join(folder, 'node_modules', brought, 'bin/node')
    const found = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
    const { status } = spawnSync('npx', ['vitest', 'run', ...files], {
      env: { ...process.env, NODE_OF_SITE: node },
      stdio: 'inherit',
    })
    return { node: found, passed: status === 0 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
console.table(outcomes)
process.exitCode = outcomes.length > 0 && outcomes.every(({ passed }) => passed) ? 0 : 1
