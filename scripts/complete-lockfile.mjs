// A registry that mirrors only some platforms makes `npm install` leave the other platforms' optional packages out of
// package-lock.json, and `npm ci` then refuses it on every machine. Run after changing dependencies behind such a mirror:
// each optional package a development tool names gets its entry, so the lock file says the same wherever it was written.
// It has no integrity value, which only the package itself could tell; so a package of a running site is refused.
import { readFileSync, writeFileSync } from 'node:fs'

const operatingSystems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors = ['arm64', 'armv7', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const { packages } = lock
let added = 0

for (const [place, entry] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const nested = `${place}/node_modules/${name}`
    const hoisted = `node_modules/${name}`
    if (packages[nested] || packages[hoisted]) continue
    if (!entry.dev) throw new Error(`${name}: a running site needs it, and this registry cannot tell its integrity value.`)
    packages[hoisted] = {
      version: version.replace(/^[\^~]/, ''),
      ...platformOf(name),
      dev: true,
      optional: true,
    }
    added += 1
  }
}

lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en')))
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`)
console.log(`package-lock.json: ${added} optional packages of other platforms added`)

/** Read off the package's own name: `@rolldown/binding-linux-arm-gnueabihf` runs on Linux with an ARM processor. */
function platformOf(name) {
  const words = name.split(/[/-]/)
  const os = operatingSystems.find((candidate) => words.includes(candidate) || words.some((word) => word.startsWith(candidate)))
  const word = processors.find((candidate) => words.includes(candidate))
  const cpu = word === 'armv7' ? 'arm' : word
  return {
    ...(cpu && { cpu: [cpu] }),
    ...(os && { os: [os] }),
    ...(words.some((part) => part.startsWith('musl')) && { libc: ['musl'] }),
  }
}
