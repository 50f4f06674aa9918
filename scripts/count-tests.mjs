// Adds up what the test runners reported: the ten slowest files, and the sum as the last line. A report that is missing or
// empty is a failure.
import { readFileSync } from 'node:fs'
import path from 'node:path'

const reports = [
  ['test-results/vitest.json', vitestCounts],
  ['test-results/browser.json', playwrightCounts],
]

let passed = 0
let failed = 0
const files = []
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
  files.push(...counts.files)
}
console.log('The ten slowest files:')
for (const { file, seconds } of files.toSorted((one, other) => other.seconds - one.seconds).slice(0, 10))
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`)
if (failed > 0) process.exitCode = 1
console.log(`${passed} passed, ${failed} failed`)

function readCounts(file, countsOf) {
  try {
    return countsOf(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    console.error(`${file}: ${error.message}`)
    return { passed: 0, failed: 0, skipped: 0, files: [] }
  }
}

/** A file that cannot even be loaded counts as one failure: it has no tests to count. */
function vitestCounts({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults }) {
  const unloadable = testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
  const files = testResults.map(({ name, startTime, endTime }) => ({
    file: path.relative('.', name),
    seconds: (endTime - startTime) / 1000,
  }))
  return { passed: numPassedTests, failed: numFailedTests + unloadable.length, skipped: numPendingTests + numTodoTests, files }
}

/** A file is a suite for each of its projects. */
function playwrightCounts({ stats, errors, suites }) {
  const milliseconds = {}
  for (const suite of suites) milliseconds[suite.file] = (milliseconds[suite.file] ?? 0) + durationOf(suite)
  const files = Object.entries(milliseconds).map(([file, duration]) => ({
    file: `tests/browser/${file}`,
    seconds: duration / 1000,
  }))
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped, files }
}

function durationOf({ suites = [], specs = [] }) {
  const results = specs.flatMap(({ tests }) => tests.flatMap((test) => test.results))
  return sum(suites.map(durationOf)) + sum(results.map(({ duration }) => duration))
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}
