import path from 'node:path'
import { defineConfig, devices } from '@playwright/test'
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
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: path.join(results, 'browser.json') }]],
  use: {
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath,
      // The browser talks to the site under test and to nobody else.
      args: ['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    },
  },
  projects: [
    { name: 'phone', use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } },
    { name: 'desktop', use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } } },
  ],
})
