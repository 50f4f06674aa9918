import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from '#server/own-program.ts'
import { sourceFiles } from '../source-files.ts'

export const madeUp = { code: 'qq', name: 'Qq' }

/**
 * The repository with one language more, built: a folder in content/ and a line in contract/languages.ts, and nothing else.
 * Its words are the English ones with two accented letters for each vowel, so that they are longer by two fifths and no word
 * that was written for another language looks like one of them.
 */
export async function buildWithMadeUpLanguage() {
  const root = await mkdtemp(path.join(tmpdir(), 'vitrina-language-'))
  for (const file of sourceFiles()) await cp(path.join(projectRoot, file), path.join(root, file))
  await symlink(path.join(projectRoot, 'node_modules'), path.join(root, 'node_modules'))

  const list = path.join(root, 'contract/languages.ts')
  const lines = await readFile(list, 'utf8')
  const line = `  ${madeUp.code}: { name: '${madeUp.name}', locale: 'en-GB' },\n`
  await writeFile(list, lines.replace(/\n\} satisfies/, `\n${line}} satisfies`))

  const folder = path.join(root, 'content', madeUp.code)
  await mkdir(folder)
  await writeFile(path.join(folder, 'made-up.ts'), accents)
  for (const file of sourceFiles('content/en')) {
    const names = [...(await readFile(path.join(projectRoot, file), 'utf8')).matchAll(/^export (?:const|function) (\w+)/gm)]
    const texts = names.map(([, name]) => `export const ${name} = madeUp(english.${name})`)
    const imports = [`import * as english from '../en/${path.basename(file)}'`, `import { madeUp } from './made-up.ts'`]
    await writeFile(path.join(folder, path.basename(file)), `${[...imports, ...texts].join('\n')}\n`)
  }
  const build = promisify(execFile)
  const vite = path.join(root, 'node_modules/vite/bin/vite.js')
  for (const args of [['build'], ['build', '--ssr']]) await build(process.execPath, [vite, ...args], { cwd: root })
  return root
}

const accents = String.raw`
const letters = { a: 'áà', e: 'éè', i: 'íì', o: 'óò', u: 'úù', A: 'ÁÀ', E: 'ÉÈ', I: 'ÍÌ', O: 'ÓÒ', U: 'ÚÙ' }
const accented = (text) =>
  text.replace(/%\{\w+\}|\S+:\/\/\S*|\S+@\S+|[aeiouAEIOU]/g, (part) => letters[part] ?? part)

export function madeUp(value) {
  if (typeof value === 'string') return accented(value)
  if (typeof value === 'function') return (...args) => madeUp(value(...args))
  if (Array.isArray(value)) return value.map(madeUp)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, key === 'locale' ? each : madeUp(each)]))
}
`
