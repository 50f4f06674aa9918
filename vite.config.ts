import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressAssets } from './scripts/compress-assets.ts'
import { inlineStyles } from './scripts/inline-styles.ts'
import { oneByteSources } from './scripts/one-byte-sources.ts'
import { photosFirst } from './scripts/photos-first.ts'
import { sitePhotos } from './scripts/site-photos.ts'

/** Everything else is bundled, which makes for a fast start. */
const notBundled = [
  // Bring a binary along, or must be loaded once.
  ...['sharp', '@photostructure/sqlite', '@node-rs/argon2', 'pg', 'pino-pretty', 'vite'],
  // Fastify loads these only where no other compilers are given (server/http/serve.ts gives zod's), or in tests.
  ...['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request'],
]

/** What every page needs travels in few files, which compress better than the many the bundler would make of it. */
const shared = [
  // Of its own, because the first script needs it, and must not draw in another file or a style sheet.
  { name: 'first', test: /preload-helper|\/language\/load-site\.ts/ },
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
  { name: 'site', test: /\/web\/entry\.browser\.tsx/ },
  // What is not needed before another language is chosen.
  {
    name: 'static-parts',
    test: /\/web\/site\/page\/(about|hero|hero-photo|pricing|static-sections)\.tsx?|(about-\d|hero(-tall)?)\.jpg/,
  },
]

/** `en-site` for content/en/site.ts: the files of all languages have the same names. */
function textsNamed(module: string | null | undefined) {
  const [, language, screen] = /\/content\/(\w+)\/([\w-]+)\.ts$/.exec(module ?? '') ?? []
  return language && `${language}-${screen}`
}

const siteProgram = new URL('server/main.ts', import.meta.url).pathname
const siteModules = new Set<string>()

type Chunking = { getModuleInfo(id: string): { importedIds: string[] } | null }

/** The name of the file for what the site imports at its start; minShareCount leaves out what it does not share. */
function sharedWithSite(module: string, chunking: Chunking) {
  const add = (id: string) => {
    if (siteModules.has(id)) return
    siteModules.add(id)
    chunking.getModuleInfo(id)?.importedIds.forEach(add)
  }
  add(siteProgram)
  return siteModules.has(module) ? 'shared' : null
}

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), tailwind(), sitePhotos(), photosFirst(), inlineStyles(), compressAssets(), oneByteSources()],
  // Nothing is copied as it stands: every file of the site has a name made from its content.
  publicDir: false,
  build: isSsrBuild
    ? {
        outDir: 'dist/server',
        target: 'node20',
        rollupOptions: {
          output: {
            // Without comments and blanks it loads faster. Names stay, for whoever reads an error in the log.
            minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
            // Few files instead of forty that every program reads.
            codeSplitting: {
              groups: [
                { name: 'contract', test: /\/contract\// },
                // Not the panel's texts, which the server never reads.
                { name: 'content', test: /\/content\/\w+\/(mails|problems|sections|server|site)\.ts/ },
                // With those and the next, all that the encoder loads.
                { name: 'photos', test: /\/server\/(.+\/image\.rules|http\/problem|storage\/storage|.+\/database-errors)\.ts/ },
                { name: 'image-tasks', test: /\/image-tasks\.ts/ },
                // What the site shares with other programs.
                { name: sharedWithSite, minShareCount: 2 },
              ],
            },
          },
          input: {
            main: siteProgram,
            admin: 'server/console/admin.ts',
            backup: 'server/console/backup.ts',
            move: 'server/console/move.ts',
            doctor: 'server/console/doctor.ts',
            encoder: 'server/features/images/encoder-entry.ts',
            worker: 'server/backup/worker.ts',
          },
        },
      }
    : {
        outDir: 'dist/client',
        assetsInlineLimit: 0,
        manifest: true,
        modulePreload: { polyfill: false },
        rollupOptions: {
          preserveEntrySignatures: false,
          output: {
            chunkFileNames: ({ facadeModuleId, name }) => `assets/${textsNamed(facadeModuleId) ?? name}-[hash].js`,
            codeSplitting: { groups: shared.map((group, index) => ({ ...group, priority: shared.length - index })) },
          },
        },
      },
  ...(isSsrBuild && {
    // Else whoever starts the site without it gets React's slower half, which is made for developing.
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    ssr: { noExternal: true, external: notBundled },
    resolve: {
      alias: {
        // yazl sums every byte of every image with it. tests/process/built-archive.test.ts checks the sums of what is shipped.
        'buffer-crc32': new URL('server/backup/archive/native-crc32.ts', import.meta.url).pathname,
        // The package's own entry loads a second renderer, for streams, of the same size.
        'react-dom/server': new URL('node_modules/react-dom/cjs/react-dom-server-legacy.node.production.js', import.meta.url)
          .pathname,
      },
    },
  }),
}))
