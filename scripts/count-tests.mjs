// Adds up what the test runners reported and prints it as the last line. A report that is missing or empty is a failure.
import { readFileSync } from 'node:fs'

const reports = [
  ['test-results/check.json', vitestCounts],
  ['test-results/process.json', vitestCounts],
  ['test-results/browser.json', playwrightCounts],
]

let passed = 0
let failed = 0
for (const [file, countsOf] of reports) {
  const counts = readCounts(file, countsOf)
  if (counts.passed + counts.failed === 0) {
    console.error(`${file}: nothing ran`)
    process.exitCode = 1
  }
  if (counts.skipped > 0) {
    console.error(`${file}: ${counts.skipped} skipped`)
    process.exitCode = 1
  }
  passed += counts.passed
  failed += counts.failed
}
if (failed > 0) process.exitCode = 1
console.log(`${passed} passed, ${failed} failed`)

function readCounts(file, countsOf) {
  try {
    return countsOf(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    console.error(`${file}: ${error.message}`)
    return { passed: 0, failed: 0, skipped: 0 }
  }
}

/** A file that cannot even be loaded counts as one failure: it has no tests to count. */
function vitestCounts({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults }) {
  const unloadable = testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
  return { passed: numPassedTests, failed: numFailedTests + unloadable.length, skipped: numPendingTests + numTodoTests }
}

function playwrightCounts({ stats, errors }) {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped }
}
