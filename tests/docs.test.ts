import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '#server/project-root.ts'
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
