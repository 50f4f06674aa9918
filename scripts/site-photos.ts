import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import type { Plugin } from 'vite'
import { heroWidths, variantFormats } from '../contract/first-visit.ts'
import { placeholderOf, variantEncoders } from '../server/features/images/image.rules.ts'

const suffix = '?photo'

/**
 * `import hero from './hero.jpg?photo'` gives the photo's size, a tiny placeholder and its copies in several widths and
 * formats. Encoding is slow, so what has been made once is kept in the cache folder until the photo changes.
 */
export function sitePhotos(): Plugin {
  let cacheFolder = ''
  let serving = false
  return {
    name: 'site-photos',
    enforce: 'pre',
    configResolved(config) {
      cacheFolder = path.join(config.root, 'node_modules/.cache/site-photos')
      serving = config.command === 'serve'
    },
    async load(id) {
      if (!id.endsWith(suffix)) return
      const file = id.slice(0, -suffix.length)
      this.addWatchFile(file)
      const original = await readFile(file)
      const stem = path.basename(file, path.extname(file))
      const digest = createHash('sha256').update(original).digest('hex').slice(0, 12)
      const { width = 0, height = 0 } = await sharp(original).metadata()
      await mkdir(cacheFolder, { recursive: true })

      const used = heroWidths[height > width ? 'tall' : 'wide'].filter((candidate) => candidate <= width)
      const imports: string[] = []
      const sets: string[] = []
      for (const format of variantFormats) {
        const entries: string[] = []
        for (const candidate of used) {
          const made = path.join(cacheFolder, `${stem}-${digest}-${candidate}.${format}`)
          if (!existsSync(made)) {
            const resized = sharp(original).resize({ width: candidate })
            await writeFile(made, await variantEncoders[format](resized).toBuffer())
          }
          const name = `${format}${candidate}`
          imports.push(`import ${name} from ${JSON.stringify(`${serving ? '/@fs/' : ''}${made}?url`)}`)
          entries.push(`\${${name}} ${candidate}w`)
        }
        sets.push(`${format}: \`${entries.join(', ')}\``)
      }
      const placeholder = await placeholderOf(sharp(original))
      const widest = `jpeg${used.at(-1)}`
      return [
        ...imports,
        `export default { width: ${width}, height: ${height}, placeholder: ${JSON.stringify(placeholder)}, src: ${widest}, ${sets.join(', ')} }`,
      ].join('\n')
    },
  }
}
