import { expect, test } from 'vitest'
import { languages } from '#contract/languages.ts'
import { read, sourceFiles } from './source-files.ts'

const code = sourceFiles().filter((file) => /^(server|web|content|contract|demo|scripts)\/.*\.tsx?$/.test(file))
const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file)
/** What may name a language: its words, the list, what older databases hold, and what the demo says. */
const mayName = (file: string) =>
  /^content\/\w+\/|^demo\/|^server\/database\/migrations\//.test(file) || file === 'contract/languages.ts'

const finds = (files: readonly string[], pattern: RegExp) =>
  files.flatMap((file) => [...read(file).matchAll(pattern)].map(([match]) => `${file}: ${match.trim()}`))

test('no language is named outside of its folder, the list and the migrations', () => {
  const others = code.filter((file) => !isTest(file) && !mayName(file))
  expect(others.length).toBeGreaterThan(300)
  const codes = languages.join('|')
  expect(finds(others, new RegExp(`[=!]== ['"\`](${codes})['"\`]|lang(uage)?=['"](${codes})['"]`, 'g'))).toEqual([])
  expect(finds(others, new RegExp(`\\b(${codes}): \\(?[\\w{\\[('"]`, 'g'))).toEqual([])
  const endings = languages.map((language) => language.charAt(0).toUpperCase() + language.slice(1)).join('|')
  expect(
    finds(others, new RegExp(`\\b(title|description|materials|techniques|captions?|texts?)(${endings})\\b(?!\`)`, 'g')),
  ).toEqual([])
  expect(finds(others, /['"]#content\/es\//g)).toEqual([])
  // Answers to programs and the console are in English; everything else only takes its types from there.
  const english = finds(others, /import \{[^}]*\} from ['"]#content\/en\/[\w-]+\.ts['"]/g).filter(
    (find) => !/import \{\s*type /.test(find),
  )
  expect([...new Set(english.map((find) => find.split(':')[0]))].toSorted()).toEqual([
    'server/backup/backup.routes.ts',
    'server/console/backup.ts',
    'server/console/doctor.ts',
    'server/features/site-content/site-content.routes.ts',
    'server/http/problem.ts',
  ])
})

test('every language has the same files with the same names in them', () => {
  const namesIn = (language: string) =>
    sourceFiles(`content/${language}`).map((file) => [
      file.replace(`content/${language}/`, ''),
      [...read(file).matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name),
    ])
  for (const language of languages) expect(namesIn(language), language).toEqual(namesIn(languages[0]))
})
