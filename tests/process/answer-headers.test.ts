import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'vitest'
import { projectRoot } from '#server/own-program.ts'
import { checkHeaders } from '../answer-headers.ts'
import { openToVisitors } from '../calls.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { ownerAccount, startSite } from './site.ts'

test('the built site sends the headers of every kind of answer, also where an address cannot be decoded', async () => {
  const site = await startSite({ DATA_DIR: await temporaryFolder() })
  await openToVisitors(site.url, ownerAccount)
  const scripts = await readdir(path.join(projectRoot, 'dist/client/assets'))
  const script = scripts.find((name) => name.endsWith('.js'))
  await checkHeaders(site.url, { script: `/assets/${script}` })
})
