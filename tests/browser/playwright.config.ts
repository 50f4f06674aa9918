import path from 'node:path'
import { defineConfig } from '@playwright/test'
import { findChromium } from '../../scripts/test-tools.ts'

const executablePath = findChromium()
if (!executablePath) throw new Error('Chromium was not found. npm test finds or installs it, or says how.')

const results = path.join(import.meta.dirname, '../../test-results')

export default defineConfig({
  testDir: '.',
  outputDir: path.join(results, 'browser'),
  globalSetup: './global-setup.ts',
  fullyParallel: true,
  workers: 2,
  // Against hanging only: a small machine under load takes its time, and a page that comes late is no fault.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: path.join(results, 'browser.json') }]],
  use: {
    screenshot: 'only-on-failure',
    // Journeys that are about motion ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath },
  },
})
