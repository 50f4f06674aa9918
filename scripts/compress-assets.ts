import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const worthIt = /\.(js|css|svg|json)$/

/** Leaves a .br and a .gz beside each script and style, so that the server compresses nothing. */
export function compressAssets(): Plugin {
  let folder = ''
  return {
    name: 'compress-assets',
    apply: (config, { isSsrBuild }) => !isSsrBuild && config.build?.write !== false,
    configResolved(config) {
      folder = path.join(config.root, config.build.outDir, config.build.assetsDir)
    },
    async closeBundle() {
      const files = (await readdir(folder)).filter((file) => worthIt.test(file))
      await Promise.all(files.map((file) => compress(path.join(folder, file))))
    },
  }
}

async function compress(file: string) {
  const content = await readFile(file)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content, quality))
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
}
