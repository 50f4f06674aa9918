import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { allVariants, variantName } from '#server/features/images/image.rules.ts'
import { aPhoto } from '../photos.ts'
import { startSiteOfItsOwn } from './makers-site.ts'

/** The demo site, as a first start makes it, for all tests that only look. */
export default async function setUp() {
  const { url, dataDir, stop } = await startSiteOfItsOwn()
  await putSmallVariants(path.join(dataDir, 'files'))
  // Inherited by the workers, which are other processes.
  process.env.DEMO_SITE_URL = url
  return stop
}

/** Nobody looks at the pixels of the demo's photos: encoding all their variants would take a quarter of the tests' time. */
async function putSmallVariants(files: string) {
  const photos = new Map<string, Buffer>()
  for (const { format } of allVariants) photos.set(format, await aPhoto({ format }))
  await mkdir(path.join(files, 'variants'), { recursive: true })
  for (const hash of await readdir(path.join(files, 'objects'))) {
    for (const variant of allVariants) {
      await writeFile(path.join(files, variantName(hash, variant)), photos.get(variant.format) ?? '')
    }
  }
}
