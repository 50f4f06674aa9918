// Adds up what the test runners reported: each kind of test, the ten slowest files, and the sum as the last line. A report
// that is missing or empty is a failure.
import { readFileSync } from 'node:fs'
import path from 'node:path'

const reports = [
  ['test-results/vitest.json', vitestCounts],
  ['test-results/browser.json', playwrightCounts],
]

/** The first folder that fits. What is left are rules: contract, content, web and those of the house. */
const kinds = { browser: 'tests/browser/', process: 'tests/process/', server: 'server/', rules: '' }

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
for (const kind of Object.keys(kinds)) {
  const ofKind = files.filter(({ file }) => kindOf(file) === kind)
  const [tests, seconds] = [sum(ofKind.map((file) => file.tests)), sum(ofKind.map((file) => file.seconds))]
  console.log(`${kind}: ${tests} tests in ${ofKind.length} files, ${seconds.toFixed(0)} s`)
}
console.log('The ten slowest files:')
for (const { file, seconds } of files.toSorted((one, other) => other.seconds - one.seconds).slice(0, 10))
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`)
if (failed > 0) process.exitCode = 1
console.log(`${passed} passed, ${failed} failed`)

function kindOf(file) {
  return Object.keys(kinds).find((kind) => file.startsWith(kinds[kind]))
}

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
  const files = testResults.map(({ name, startTime, endTime, assertionResults }) => ({
    file: path.relative('.', name),
    tests: assertionResults.length,
    seconds: (endTime - startTime) / 1000,
  }))
  return { passed: numPassedTests, failed: numFailedTests + unloadable.length, skipped: numPendingTests + numTodoTests, files }
}

/** A file is a suite for each of its projects. */
function playwrightCounts({ stats, errors, suites }) {
  const files = [...new Set(suites.map(({ file }) => file))].map((file) => {
    const tests = suites.filter((suite) => suite.file === file).flatMap(testsIn)
    const durations = tests.flatMap(({ results }) => results.map(({ duration }) => duration))
    return { file: `tests/browser/${file}`, tests: tests.length, seconds: sum(durations) / 1000 }
  })
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped, files }
}

function testsIn({ suites = [], specs = [] }) {
  return [...suites.flatMap(testsIn), ...specs.flatMap(({ tests }) => tests)]
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}
