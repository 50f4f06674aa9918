import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type Language, languages } from '#contract/languages.ts'
import { projectRoot } from '#server/own-program.ts'

/** `npm run bench -- weight` counts what a browser really transfers. */
const mostScriptBytes = 76_000

/** What the files weighed when they were last looked at: a failure says which of them has grown since. */
const weighed: Record<string, number> = {
  index: 508,
  first: 886,
  'rolldown-runtime': 382,
  react: 58_207,
  site: 13_529,
  'en-site': 1_663,
  'es-site': 1_961,
}

const dialog = 'web/site/model/project-dialog.tsx'
const client = path.join(projectRoot, 'dist/client')
const scriptOf = (file: string) => readFile(path.join(client, file), 'utf8')

type Chunk = { file: string; isEntry?: boolean; imports?: string[]; dynamicImports?: string[] }

async function readManifest() {
  return JSON.parse(await scriptOf('.vite/manifest.json')) as Record<string, Chunk>
}

/** The scripts of a first visit in one language: the entry and what it loads (web/start.ts), with all their static imports. */
function firstVisit(manifest: Record<string, Chunk>, language: Language) {
  const files = new Set<string>()
  const add = (chunk: Chunk | undefined) => {
    if (!chunk || files.has(chunk.file)) return
    files.add(chunk.file)
    for (const name of chunk.imports ?? []) add(manifest[name])
  }
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry)
  add(entry)
  // The entry asks for the dialog when a model is reached for.
  const later = [...languages.filter((each) => each !== language).map((each) => `content/${each}/site.ts`), dialog]
  for (const name of entry?.dynamicImports ?? []) if (!later.includes(name)) add(manifest[name])
  return [...files]
}

test.each(languages)('the script of a first visit in %s stays within its budget', async (language) => {
  const manifest = await readManifest()
  const files = await Promise.all(
    firstVisit(manifest, language).map(async (file) => ({ file, size: (await stat(path.join(client, `${file}.br`))).size })),
  )
  const report = files
    .toSorted((one, other) => grownBy(other) - grownBy(one))
    .map((each) => `${each.file}: ${each.size} bytes, ${grownBy(each)} more than when it was last weighed`)
  const total = files.reduce((sum, { size }) => sum + size, 0)
  expect(files.some(({ file }) => file.includes('/site-'))).toBe(true)
  expect(total, `${total} of ${mostScriptBytes} bytes:\n${report.join('\n')}\n`).toBeLessThanOrEqual(mostScriptBytes)
})

/** Files that are new since then have grown by all they weigh. */
function grownBy({ file, size }: { file: string; size: number }) {
  const name = path.basename(file).replace(/-[\w-]{8}\.js$/, '')
  return size - (weighed[name] ?? 0)
}

test('visitors carry neither the libraries nor the calls of the panel', async () => {
  const manifest = await readManifest()
  const ofThePanel = /_zod|QueryClient|\/api\/(admin|objects)\b/
  const files = firstVisit(manifest, 'en')
  const found = await Promise.all(files.map(async (file) => (ofThePanel.test(await scriptOf(file)) ? [file] : [])))
  expect(found.flat()).toEqual([])
  // The same search finds them where they belong.
  const panel = manifest['web/admin/admin-app.tsx']
  expect(panel && ofThePanel.test(await scriptOf(panel.file))).toBe(true)
})
