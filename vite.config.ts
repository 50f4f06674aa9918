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
  // Fastify loads these only where no other compilers are given: server/app.ts gives zod's.
  ...['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'],
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
    test: /\/web\/site\/page\/(about|hero-photo|static-sections)\.tsx?|(about-\d|hero(-tall)?)\.jpg/,
  },
]

/** `en-site` for content/en/site.ts: the files of all languages have the same names. */
function textsNamed(module: string | null | undefined) {
  const [, language, screen] = /\/content\/(\w+)\/([\w-]+)\.ts$/.exec(module ?? '') ?? []
  return language && `${language}-${screen}`
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
            // One file each instead of twenty that every program reads.
            codeSplitting: {
              groups: [
                { name: 'contract', test: /\/contract\// },
                // Not the panel's texts, which the server never reads.
                { name: 'content', test: /\/content\/\w+\/(mails|problems|server|site)\.ts/ },
              ],
            },
          },
          input: {
            main: 'server/main.ts',
            admin: 'server/console/admin.ts',
            backup: 'server/console/backup.ts',
            move: 'server/console/move.ts',
            encoder: 'server/features/images/encoder-entry.ts',
            'sqlite-copy': 'server/database/sqlite-copy-entry.ts',
            'offsite-folder': 'server/backup/offsite-folder-entry.ts',
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
    // yazl sums every byte of every image with it. tests/process/built-archive.test.ts checks the sums of what is shipped.
    resolve: { alias: { 'buffer-crc32': new URL('server/backup/archive/native-crc32.ts', import.meta.url).pathname } },
  }),
}))
