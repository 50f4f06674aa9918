import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { findCeph, findChromium, findPostgres } from './test-tools.ts'

type Tool = { name: string; debianPackages: string[]; setting: string; find: () => string | undefined }

const tools: Tool[] = [
  { name: 'Chromium', debianPackages: ['chromium'], setting: 'CHROMIUM_PATH', find: findChromium },
  { name: "PostgreSQL's server programs", debianPackages: ['postgresql'], setting: 'POSTGRES_BIN', find: findPostgres },
  {
    name: "Ceph's storage with its S3 gateway",
    debianPackages: ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common'],
    setting: 'CEPH_BIN',
    find: findCeph,
  },
]

const missing = () => tools.filter((tool) => !tool.find())

// A place that was named and is wrong is for its author to mend.
const installable = missing().filter(({ setting }) => !process.env[setting])
if (installable.length > 0) install(installable)
const stillMissing = missing()
if (stillMissing.length > 0) {
  const packages = stillMissing.flatMap(({ debianPackages }) => debianPackages).join(' ')
  console.error(
    [
      `The tests need ${stillMissing.map(({ name }) => name).join(' and ')}. Install with:`,
      `  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${packages}`,
      `or say where to find it: ${stillMissing.map(({ setting }) => setting).join(', ')}`,
    ].join('\n'),
  )
  process.exit(1)
}
for (const { name, find } of tools) console.log(`${name}: ${find()}`)

function install(wanted: Tool[]) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  keepPostgresFromStarting()
  run('apt-get', ['update'])
  const packages = wanted.flatMap(({ debianPackages }) => debianPackages)
  run('apt-get', ['install', '-y', '--no-install-recommends', '-o', 'Dpkg::Options::=--force-confold', ...packages])
}

/** Debian makes and starts a database when it installs PostgreSQL; the tests want the programs only. */
function keepPostgresFromStarting() {
  const file = '/etc/postgresql-common/createcluster.conf'
  if (existsSync(file)) return
  mkdirSync('/etc/postgresql-common', { recursive: true })
  writeFileSync(file, 'create_main_cluster = false\n')
}

function run(command: string, words: string[]) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status } = spawnSync(command, words, { stdio: 'inherit', env })
  if (status !== 0) console.error(`${command} ${words[0]} did not succeed.`)
}
