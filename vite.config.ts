import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressAssets } from './scripts/compress-assets.ts'
import { photosFirst } from './scripts/photos-first.ts'
import { sitePhotos } from './scripts/site-photos.ts'

/** Everything else is bundled, which makes for a fast start. */
const notBundled = [
  // Bring a binary along, or must be loaded once.
  ...['sharp', '@photostructure/sqlite', '@node-rs/argon2', 'pg', 'pino-pretty', 'vite'],
  // Fastify loads these only where no other compilers are given: server/app.ts gives zod's.
  ...['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'],
]

/**
 * What every page needs travels in few files, which compress better than the many the bundler would make of it; and in
 * more than one, each of which a phone has read in a blink.
 */
const shared = [
  // The first script needs this much of the build's own, and must not draw the rest in.
  { name: 'first', test: /vite\/preload-helper/ },
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
  {
    name: 'base',
    test: new RegExp(
      [
        // Lists that grow page by page are the panel's.
        'node_modules/(@tanstack(?!.*nfiniteQuery(Observer|Options)?\\.)|wouter|regexparam|use-sync-external-store)/',
        '/contract/(endpoint|gallery|places|image-addresses|contacts\\.fields|page-paths|languages)\\.ts',
        '/web/(api/(call|projects|query-client)|language/(?!spanish)|site/(brand|instead|section-button|missing-photo|plates\\.rules|printed-contact|project-link|section|place-in-list\\.rules|project-texts|scroll-to)|ui/(button|cn|field|photo|toast-store|use-dismiss|use-focus-new))',
        'node_modules/lucide-react/dist/esm/(?!icons/(?!(image-off|rotate-ccw|x)\\.))',
      ].join('|'),
    ),
  },
  // What is not needed before another language is chosen.
  {
    name: 'static-parts',
    test: /\/web\/site\/(about|hero-photo|not-found|process|process-drawing|services)\.tsx|(about-\d|hero(-tall)?)\.jpg/,
  },
]

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), tailwind(), sitePhotos(), photosFirst(), compressAssets()],
  // Nothing is copied as it stands: every file of the site has a name made from its content.
  publicDir: false,
  build: isSsrBuild
    ? {
        outDir: 'dist/server',
        target: 'node20',
        rollupOptions: {
          input: {
            main: 'server/main.ts',
            admin: 'server/console/admin.ts',
            backup: 'server/console/backup.ts',
            move: 'server/console/move.ts',
            encoder: 'server/features/images/encoder-entry.ts',
            'sqlite-copy': 'server/database/sqlite-copy-entry.ts',
          },
        },
      }
    : {
        outDir: 'dist/client',
        assetsInlineLimit: 0,
        manifest: true,
        modulePreload: { polyfill: false },
        rollupOptions: {
          output: { codeSplitting: { groups: shared.map((group, index) => ({ ...group, priority: shared.length - index })) } },
        },
      },
  ...(isSsrBuild && {
    ssr: { noExternal: true, external: notBundled },
    // yazl sums every byte of every image with it. tests/process/built-archive.test.ts checks the sums of what is shipped.
    resolve: { alias: { 'buffer-crc32': new URL('server/features/backups/native-crc32.ts', import.meta.url).pathname } },
  }),
}))
