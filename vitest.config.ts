import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { sitePhotos } from './scripts/site-photos.ts'
import { seededRandom } from './tests/random.ts'

/** In random order, but what waits for processes first and long files next: a file that takes half a minute must not begin last. */
class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const random = seededRandom(this.ctx.config.sequence.seed)
    const places = files.map((file) => ({ file, place: turnOf(file) + random() }))
    return places.toSorted((one, other) => one.place - other.place).map(({ file }) => file)
  }
}

function turnOf({ moduleId }: TestSpecification) {
  if (moduleId.includes('/tests/process/')) return 0
  return statSync(moduleId).size > 10_000 ? 1 : 2
}

export default defineConfig({
  // What the server's pages are made of in the build as well.
  plugins: [react(), sitePhotos()],
  test: {
    include: ['{contract,content,server,web,scripts,tests}/**/*.test.{ts,tsx}'],
    globalSetup: 'tests/global-setup.ts',
    setupFiles: 'tests/no-noise.ts',
    sequence: { shuffle: true, sequencer: LongOnesFirst },
    // Files share a worker and its loaded modules: loading the server anew for each took a tenth of the run.
    isolate: false,
    // Hundreds of sites are opened and gone: with more room for what is young, less is collected.
    execArgv: ['--max-semi-space-size=64'],
    // One more than there are cores: some wait for a process, for PostgreSQL or for the bucket.
    maxWorkers: availableParallelism() + 1,
    // Against hanging only, on a machine that may be busy with other things.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
