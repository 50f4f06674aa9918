import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { read, sourceFiles } from './source-files.ts'

const files = sourceFiles()
const code = files.filter((file) => /\.(ts|tsx|mjs)$/.test(file))
const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file)
/** Without the tests, and what only they use. */
const own = code.filter((file) => !isTest(file) && !file.startsWith('tests/'))
const roomOf = (file: string) => /^(server|web|contract|content)\//.exec(file)?.[1]
const inRooms = own.filter(roomOf)

/** `file: what was found`, for a message that says where to look. */
const finds = (where: string[], pattern: RegExp) =>
  where.flatMap((file) => [...read(file).matchAll(pattern)].map(([found]) => `${file}: ${found}`))

describe('the house', () => {
  test('has no drawer for everything: a file is named for what it holds', () => {
    const drawers = /^(utils?|helpers?|misc|common|shared|types|index|manager|service)\.(ts|tsx|mjs)$/
    expect(code.length).toBeGreaterThan(100)
    expect(code.filter((file) => drawers.test(path.basename(file)))).toEqual([])
    expect(code.filter((file) => /(^|\/)(utils?|helpers?|types)\//.test(file))).toEqual([])
  })

  test('names the address of a call in the contract and nowhere else', () => {
    const elsewhere = code.filter((file) => /^(server|web|content|demo|scripts)\//.test(file) && !isTest(file))
    expect(finds(elsewhere, /['"`]\/api\/\w[^'"`]*/g)).toEqual([])
    const contract = code.filter((file) => file.startsWith('contract/'))
    expect(finds(contract, /'\/api\/\w[^']*'/g).length).toBeGreaterThan(10)
  })

  test('lets a feature import queries and rules of those below it, and routes of none', () => {
    // Each may import those of the rows above its own.
    const levels = [
      ['images', 'activity'],
      ['projects'],
      ['site-content'],
      ['contacts'],
      ['accounts', 'settings'],
      ['pages', 'overview', 'first-steps', 'events', 'statistics'],
    ]
    const levelOf = (feature = '') => levels.findIndex((level) => level.includes(feature))
    const features = own.filter((file) => file.startsWith('server/features/'))
    const uphill = features.flatMap((file) => {
      const feature = file.split('/')[2]
      return importsOf(file)
        .filter((imported) => imported.startsWith('server/features/') && imported.split('/')[2] !== feature)
        .filter((imported) => imported.endsWith('.routes.ts') || levelOf(imported.split('/')[2]) >= levelOf(feature))
        .map((imported) => `${file} imports ${imported}`)
    })
    expect(features.length).toBeGreaterThan(10)
    expect(features.filter((file) => levelOf(file.split('/')[2]) < 0)).toEqual([])
    expect(uphill).toEqual([])
  })

  test('has its routes imported by app.ts, or by other routes of their folder', () => {
    const crossings = own.flatMap((file) =>
      importsOf(file)
        .filter((imported) => imported.endsWith('.routes.ts') && file !== 'server/app.ts')
        .filter((imported) => !file.endsWith('.routes.ts') || path.dirname(file) !== path.dirname(imported))
        .map((imported) => `${file} imports ${imported}`),
    )
    expect(own.filter((file) => file.endsWith('.routes.ts')).length).toBeGreaterThan(8)
    expect(crossings).toEqual([])
  })

  test('lets backups read features, and only summaries and settings read backups', () => {
    const backup = code.filter((file) => file.startsWith('server/backup/') && !isTest(file))
    const summaries = /^server\/features\/(events|first-steps|overview|settings)\//
    const features = code.filter((file) => file.startsWith('server/features/') && !isTest(file) && !summaries.test(file))
    const crossings = [
      ...backup.flatMap((file) => importsOf(file).filter((imported) => /^server\/features\/.*\.routes\.ts$/.test(imported))),
      ...features.flatMap((file) => importsOf(file).filter((imported) => imported.startsWith('server/backup/'))),
    ]
    expect(backup.length).toBeGreaterThan(10)
    expect(crossings).toEqual([])
  })

  test('has one line per feature in app.ts, and no functions of its own there', () => {
    const text = read('server/app.ts')
    const [, body = ''] = text.split('export async function buildApp')
    expect(text.split('\n').length).toBeLessThan(120)
    expect(body.length).toBeGreaterThan(100)
    expect(body.match(/=>|\bfunction\b/g)).toBeNull()
  })

  test('has at most 490 files of code in its four rooms', () => {
    expect(inRooms.length).toBeLessThanOrEqual(490)
  })

  test('has no file of fewer than 30 lines with one importer: it belongs into that one', () => {
    const allowed = [
      // Databases have recorded them by their names, and each stays as it was.
      /^server\/database\/migrations\//,
      // Programs of their own, which the build names.
      /-entry\.ts$|^web\/entry\./,
    ]
    const importers = new Map<string, Set<string>>()
    for (const file of own) {
      for (const imported of importsOf(file)) importers.set(imported, (importers.get(imported) ?? new Set()).add(file))
    }
    // What is imported lazily is a file of its own in the browser.
    const lazy = new Set(own.flatMap((file) => importsOf(file, /\bimport\(\s*'([^']+)'/g)))
    const misplaced = inRooms.flatMap((file) => {
      const [importer = '', ...others] = importers.get(file) ?? []
      // Texts, and calls that are declared for both sides, cannot join what reads them in another room.
      const mayStay = others.length > 0 || roomOf(importer) !== roomOf(file) || lazy.has(file)
      if (mayStay || allowed.some((pattern) => pattern.test(file))) return []
      return read(file).trimEnd().split('\n').length < 30 ? [`${file} belongs into ${importer}`] : []
    })
    expect(misplaced).toEqual([])
  })

  test('has names that say of which feature they are', () => {
    // Of a noun there is one file in the contract, and one of its texts in each language.
    const names = inRooms.filter((file) => !/^content\/\w+\//.test(file)).map((file) => path.basename(file))
    expect(names.length).toBeGreaterThan(300)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    expect(finds(inRooms, /\bfunction merge\(|\bconst merge = (async )?\(/g)).toEqual([])
  })

  test('silences no compiler and skips no test', () => {
    const others = code.filter((file) => file !== 'tests/house.test.ts')
    expect(finds(others, /@ts-(ignore|nocheck|expect-error)|biome-ignore-(all|start)|\bas any\b|: any\b/g)).toEqual([])
    const tests = others.filter(isTest)
    expect(tests.length).toBeGreaterThan(10)
    expect(finds(tests, /\b(test|it|describe)(\.\w+)*\.(skip|only|todo|fixme|fails)\b/g)).toEqual([])
  })

  test('waits in tests for what is to happen, and not for a time', () => {
    // Each is a moment for a kill, a pause between two requests or between two questions, or the limit of a wait.
    const allowed = [
      'tests/process/kill-starts.ts',
      'tests/process/killed-in-a-job.test.ts',
      'tests/process/settings.test.ts',
      'tests/process/several-processes.test.ts',
      'tests/process/visitors.ts',
      'tests/s3.ts',
    ]
    const waits = /waitForTimeout|networkidle|setTimeout\(|timers\/promises|scheduler\.wait|Atomics\.wait/g
    const tests = code.filter((file) => (isTest(file) || file.startsWith('tests/')) && file !== 'tests/house.test.ts')
    const found = new Set(finds(tests, waits).map((find) => find.split(': ')[0]))
    expect([...found].toSorted()).toEqual(allowed)
  })

  test('knows nothing of the machine it was written on', () => {
    const texts = files.filter((file) => /\.(ts|tsx|mjs|json|md|css|html)$/.test(file) && file !== 'tests/house.test.ts')
    expect(finds(texts, /\/(home|Users|root)\/\w+|\/work\/main|https?:\/\/registry\.[\w.]+/g)).toEqual([])
  })
})

describe('package.json', () => {
  type Listed = Record<'scripts' | 'dependencies' | 'devDependencies' | 'overrides', Record<string, string>>
  const { scripts, dependencies, devDependencies, overrides } = JSON.parse(read('package.json')) as Listed

  test('has about a dozen commands', () => {
    expect(Object.keys(scripts).length).toBeLessThanOrEqual(13)
  })

  test('says of each version it holds back until when', () => {
    const exact = Object.entries({ ...dependencies, ...devDependencies }).filter(([, version]) => /^\d/.test(version))
    const heldBack = [...Object.keys(overrides), ...exact.map(([name]) => name)]
    const [, reasons = ''] = read('docs/decisions.md').split('## Held back')
    expect(heldBack.filter((name) => !reasons.includes(`| \`${name}\``))).toEqual([])
  })

  test('has the commands the README promises, and CI runs no others', () => {
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['start', 'test', 'dev', 'build', 'serve', 'check', 'admin']))
    expect(read('.ci/run')).toContain('npm ci && npm test')
  })
})

describe('package-lock.json', () => {
  type Entry = { resolved?: string; integrity?: string; dev?: boolean; optionalDependencies?: Record<string, string> }
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Entry> }

  test('names no registry, so that it works with any', () => {
    expect(Object.keys(packages).length).toBeGreaterThan(100)
    expect(Object.entries(packages).filter(([, { resolved }]) => resolved)).toEqual([])
  })

  test('can tell every package of a running site from a forged one, on every platform', () => {
    const shipped = Object.entries(packages).filter(([place, { dev }]) => place !== '' && !dev)
    expect(shipped.length).toBeGreaterThan(100)
    expect(shipped.filter(([, { integrity }]) => !integrity).map(([place]) => place)).toEqual([])
  })

  test('has an entry for every platform’s packages, so that npm ci works on all of them', () => {
    const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !packages[`${place}/node_modules/${name}`] && !packages[`node_modules/${name}`],
      ),
    )
    expect(missing, 'run: node scripts/complete-lockfile.mjs').toEqual([])
  })
})

function importsOf(file: string, pattern = /(?:from|import)\s*\(?\s*'([^']+)'/g) {
  const specifiers = [...read(file).matchAll(pattern)].map(([, specifier = '']) => specifier)
  return specifiers.flatMap((specifier) => {
    if (specifier.startsWith('#')) return [specifier.slice(1)]
    return specifier.startsWith('.') ? [path.posix.join(path.posix.dirname(file), specifier)] : []
  })
}
