import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { environment } from '#server/config.ts'
import { projectRoot } from '#server/own-program.ts'
import { read, sourceFiles } from './source-files.ts'

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const ownFolders = 'bench|content|contract|demo|docs|scripts|server|tests|web|\\.ci'

/** Commands and paths a document mentions that do not exist. */
function brokenPromises(file: string, text: string) {
  const commands = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name)
  const links = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(([, target = '']) =>
    path.posix.join(path.posix.dirname(file), target),
  )
  const mentions = [...text.matchAll(new RegExp(`\`((?:${ownFolders})/[\\w./-]*)\``, 'g'))].map(([, place = '']) => place)
  return [
    ...commands.filter((name) => !(name in scripts)).map((name) => `npm run ${name}`),
    ...[...links, ...mentions].filter((place) => !existsSync(path.join(projectRoot, place))),
  ]
}

/** The variables that a table has in its first column, each with what its second column says. */
function settingsIn(text: string) {
  const rows = [...text.matchAll(/^\| (`[A-Z].*?) *\| (.*?) *\|/gm)]
  return rows.flatMap(([, names = '', meaning = '']) => {
    const variables = inBackticks(names).filter((name) => /^[A-Z][A-Z0-9_]+$/.test(name))
    return variables.map((name, index) => ({ name, says: inBackticks(meaning)[index] }))
  })
}

const inBackticks = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, inside = '']) => inside)

describe('the settings', () => {
  const names = Object.keys(environment.shape)
  const readme = settingsIn(read('README.md'))
  const [, buckets = ''] = read('docs/deploy.md').split(/^\| variable +\| meaning/m)
  const bucket = settingsIn(buckets.split('\n\n')[0] ?? '')

  test('are in the tables of README.md and docs/deploy.md, all of them and no others', () => {
    expect(bucket.map(({ name }) => name)).toEqual(names.filter((name) => name.startsWith('S3_')))
    // The README names the first of those of a bucket, and says where the others are. Those of a second bucket are the same.
    const second = bucket.map(({ name }) => `OFFSITE_${name}`).filter((name) => name !== 'OFFSITE_S3_PUBLIC_URL')
    const documented = new Set([...[...readme, ...bucket].map(({ name }) => name), ...second])
    expect([...documented].toSorted()).toEqual(names.toSorted())
  })

  test('have the defaults that README.md gives', () => {
    const given = readme.filter(({ says }) => says !== undefined).map(({ name, says }) => [name, says])
    const defaults = Object.entries(environment.parse({})).filter(([name]) => !/^(OFFSITE_)?S3_/.test(name))
    expect(given.length).toBeGreaterThan(5)
    expect(environment.parse(Object.fromEntries(given))).toMatchObject(Object.fromEntries(defaults))
    expect(given.map(([name]) => name).toSorted()).toEqual(defaults.map(([name]) => name).toSorted())
  })
})

describe('the documents', () => {
  test('promise only commands and places that exist', () => {
    const documents = sourceFiles().filter((file) => /^(docs\/)?[\w-]+\.md$/.test(file))
    const broken = documents.flatMap((file) => brokenPromises(file, read(file)).map((promise) => `${file}: ${promise}`))
    expect(broken).toEqual([])
  })

  test('are read closely enough to notice', () => {
    const text = 'See [how](../server/nothing.ts), `web/nowhere/`, `server/app.ts`, [site](https://x.example) and npm run fly.'
    expect(brokenPromises('docs/a.md', text)).toEqual(['npm run fly', 'server/nothing.ts', 'web/nowhere/'])
  })
})
