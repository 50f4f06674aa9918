import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { sitePhotos } from './scripts/site-photos.ts'

export default defineConfig({
  // What the server's pages are made of in the build as well.
  plugins: [react(), sitePhotos()],
  test: {
    include: ['{contract,content,server,web,scripts,tests}/**/*.test.{ts,tsx}'],
    globalSetup: 'tests/global-setup.ts',
    setupFiles: 'tests/no-noise.ts',
    sequence: { shuffle: true },
    // Files share a worker and its loaded modules: loading the server anew for each took a tenth of the run.
    isolate: false,
    maxWorkers: '100%',
    // Against hanging only. A cold machine encodes the site's photos while the first test waits.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
