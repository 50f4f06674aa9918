import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressAssets } from './scripts/compress-assets.ts'
import { sitePhotos } from './scripts/site-photos.ts'

/** Brings its binary along or must stay one copy; everything else travels inside the bundle, which then starts fast. */
const notBundled = ['sharp', '@photostructure/sqlite', '@node-rs/argon2', 'pg', 'pino', 'pino-pretty', 'vite']

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), tailwind(), sitePhotos(), compressAssets()],
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
            encoder: 'server/features/images/encoder-entry.ts',
          },
        },
      }
    : { outDir: 'dist/client', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  ...(isSsrBuild && { ssr: { noExternal: true, external: notBundled } }),
}))
