import path from 'node:path'
import { defineConfig, devices } from '@playwright/test'
import { findChromium } from '../../scripts/test-tools.ts'

const executablePath = findChromium()
if (!executablePath) throw new Error('Chromium was not found. npm test finds or installs it, or says how.')

const results = path.join(import.meta.dirname, '../../test-results')

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const desktop = { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } }

/**
 * A journey that is told in both languages is told in English on a desktop and in Spanish on a phone, where long words have
 * the least room. The others run on a desktop; those marked `@phone` on a phone as well, because the screen matters to them.
 */
const onPhone = / in es, |@phone/

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
    launchOptions: {
      executablePath,
      // The browser talks to the site under test and to nobody else.
      args: ['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    },
  },
  projects: [
    { name: 'phone', use: phone, grep: onPhone },
    { name: 'desktop', use: desktop, grepInvert: / in es, / },
  ],
})
