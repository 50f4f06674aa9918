import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '#server/project-root.ts'

/** The same as in bench/weight.ts, which counts what a browser really transfers. */
const mostScriptBytes = 100_000

const client = path.join(projectRoot, 'dist/client')
const scriptOf = (file: string) => readFile(path.join(client, file), 'utf8')

type Chunk = { file: string; isEntry?: boolean; imports?: string[]; dynamicImports?: string[] }

async function readManifest() {
  return JSON.parse(await scriptOf('.vite/manifest.json')) as Record<string, Chunk>
}

/** The scripts of a first visit in one language: the entry and what it loads (web/start.ts), with all their static imports. */
function firstVisit(manifest: Record<string, Chunk>, language: 'en' | 'es') {
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry)
  const otherLanguage = `content/${language === 'en' ? 'es' : 'en'}.ts`
  const files = new Set<string>()
  const add = (chunk: Chunk | undefined) => {
    if (!chunk || files.has(chunk.file)) return
    files.add(chunk.file)
    for (const name of chunk.imports ?? []) add(manifest[name])
  }
  add(entry)
  for (const name of entry?.dynamicImports ?? []) if (name !== otherLanguage) add(manifest[name])
  return [...files]
}

test.each(['en', 'es'] as const)('the script of a first visit in %s stays within its budget', async (language) => {
  const files = firstVisit(await readManifest(), language)
  const sizes = await Promise.all(files.map(async (file) => (await stat(path.join(client, `${file}.br`))).size))
  expect(files.some((file) => file.includes('entry.browser'))).toBe(true)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(mostScriptBytes)
})

test('visitors carry neither zod nor calls of the panel', async () => {
  const manifest = await readManifest()
  const ofThePanel = /_zod|\/api\/(admin|objects)\b/
  const files = firstVisit(manifest, 'en')
  const found = await Promise.all(files.map(async (file) => (ofThePanel.test(await scriptOf(file)) ? [file] : [])))
  expect(found.flat()).toEqual([])
  // The same search finds them where they belong.
  const panel = manifest['web/admin/admin-app.tsx']
  expect(panel && ofThePanel.test(await scriptOf(panel.file))).toBe(true)
})
