import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { findAge, findCeph, findChromium, findHeadlessShell, findPostgres } from './test-tools.ts'

type Find = () => string | undefined
/** `best`, where there is one, is worth installing; with what `find` finds the tests run too. */
type Tool = { name: string; debianPackages: string[]; setting: string; find: Find; best?: Find }

const tools: Tool[] = [
  {
    name: 'Chromium',
    debianPackages: ['chromium-headless-shell'],
    setting: 'CHROMIUM_PATH',
    find: findChromium,
    best: findHeadlessShell,
  },
  { name: "PostgreSQL's server programs", debianPackages: ['postgresql'], setting: 'POSTGRES_BIN', find: findPostgres },
  {
    name: "Ceph's storage with its S3 gateway (or S3_TEST_ENDPOINT, the address of another S3 server)",
    debianPackages: ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common'],
    setting: 'CEPH_BIN',
    find: () => process.env.S3_TEST_ENDPOINT || findCeph(),
  },
  { name: 'the program age', debianPackages: ['age'], setting: 'AGE_PATH', find: findAge },
]

// A place that was named and is wrong is for its author to mend.
const installable = tools.filter(({ setting, find, best = find }) => !process.env[setting] && !best())
if (installable.length > 0) install(installable)
const stillMissing = tools.filter(({ find }) => !find())
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
  // Each on its own, so that one that cannot be had keeps none of the others away.
  for (const { debianPackages } of wanted) {
    run('apt-get', ['install', '-y', '--no-install-recommends', '-o', 'Dpkg::Options::=--force-confold', ...debianPackages])
  }
}

/** Debian makes and starts a database when it installs PostgreSQL; the tests want the programs only. */
function keepPostgresFromStarting() {
  const file = '/etc/postgresql-common/createcluster.conf'
  if (existsSync(file)) return
  mkdirSync('/etc/postgresql-common', { recursive: true })
  writeFileSync(file, 'create_main_cluster = false\n')
}

function run(command: string, args: string[]) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status } = spawnSync(command, args, { stdio: 'inherit', env })
  if (status !== 0) console.error(`${command} ${args[0]} did not succeed.`)
}
