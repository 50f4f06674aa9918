import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressAssets } from './scripts/compress-assets.ts'
import { photosFirst } from './scripts/photos-first.ts'
import { sitePhotos } from './scripts/site-photos.ts'

/** Brings its binary along or must stay one copy; everything else travels inside the bundle, which then starts fast. */
const notBundled = ['sharp', '@photostructure/sqlite', '@node-rs/argon2', 'pg', 'pino', 'pino-pretty', 'vite']

/** What every page needs travels in one file, which compresses better than the many the bundler would make of it. */
const onEveryPage = new RegExp(
  [
    'node_modules/(react|react-dom|scheduler|@tanstack|wouter|regexparam|use-sync-external-store|zod)/',
    '/contract/(endpoint|text|images|projects|contacts|pages|languages)\\.ts',
    '/web/(api/(call|projects|query-client)|language/|ui/(button|cn|field|photo|toast-store|use-dismiss))',
  ].join('|'),
)

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
            admin: 'server/admin-console.ts',
            backup: 'server/backup-console.ts',
            move: 'server/move-console.ts',
            encoder: 'server/features/images/encoder-entry.ts',
          },
        },
      }
    : {
        outDir: 'dist/client',
        assetsInlineLimit: 0,
        manifest: true,
        modulePreload: { polyfill: false },
        rollupOptions: { output: { codeSplitting: { groups: [{ name: 'base', test: onEveryPage }] } } },
      },
  ...(isSsrBuild && {
    ssr: { noExternal: true, external: notBundled },
    resolve: { alias: { 'buffer-crc32': new URL('server/features/backups/native-crc32.ts', import.meta.url).pathname } },
  }),
}))
