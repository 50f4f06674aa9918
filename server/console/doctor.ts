import { parseArgs } from 'node:util'
import { checksSummary, checkWords } from '#content/check-words.ts'
import { backups } from '#content/en/backups.ts'
import { checks as texts } from '#content/en/checks.ts'
import { problemTexts as problems } from '#content/en/problems.ts'
import { maker } from '#content/maker.ts'
import { gravestOf, type Level, levels, type SiteCheck } from '#contract/checks.ts'
import { checkIntegrity } from '../backup/integrity.ts'
import { noProgress } from '../backup/job.ts'
import { systemClock as clock } from '../clock.ts'
import { type Config, readCheckedConfig } from '../config.ts'
import { DatabaseUnreachable, DatabaseUnusable, isDatabaseAway } from '../database/database-errors.ts'
import { demoAdminCheck } from '../features/accounts/passwords.ts'
import { checkMachine, checkSite } from '../features/overview/checks.facts.ts'
import { judge } from '../features/overview/checks.rules.ts'
import { openLog } from '../log.ts'
import { keepFilesPrivate } from '../start/data-folder.ts'
import { openExistingSite } from './existing-site.ts'
import { complain, print } from './output.ts'

const usage = `How the site is, whether it runs or not:
  npm run doctor                 each check in a line, and what to do
  npm run doctor -- --json       the same for programs
Ends with 0 when all is green, with 1 when something is amber, with 2 when something is red or the command is wrong.
Nothing is changed, and nothing outside of the site's own database and storage is asked.`

const marks: Record<Level, string> = { green: 'ok', amber: '!', red: 'X' }

async function run(args: string[]) {
  const isJson = readFlags(args)
  if (isJson === undefined) {
    process.exitCode = 2
    return complain(usage)
  }
  const { checks, timeZone } = await look()
  const level = gravestOf(checks)
  const told = checks.map((check) => ({
    ...check,
    ...checkWords(check, { locale: 'en-US', timeZone, checks: texts, backups, problems }),
  }))
  if (isJson) print(JSON.stringify({ level, at: clock.now().toISOString(), checks: told }, null, 2))
  else print([...told.map(asText), '', checksSummary(checks, texts)].join('\n'))
  process.exitCode = levels.indexOf(level)
}

/** Undefined for anything that is not understood. */
function readFlags(args: string[]) {
  try {
    return parseArgs({ args, options: { json: { type: 'boolean' } } }).values.json ?? false
  } catch {
    return undefined
  }
}

async function look(): Promise<{ checks: SiteCheck[]; timeZone: string }> {
  let config: Config
  try {
    config = await readCheckedConfig(process.env)
  } catch (error) {
    return { checks: [judge('settings', { refused: reasonIn(error) })], timeZone: maker.timeZone }
  }
  try {
    const site = await openExistingSite(config, { ours: false })
    const parts = { ...site, config, clock, demoAdminActive: demoAdminCheck(site.database.db) }
    try {
      const log = await openLog({ logLevel: 'silent' })
      // Where it fails, the checks that follow say why.
      const integrity = await checkIntegrity({ ...parts, log }, noProgress).catch(() => undefined)
      return { checks: await checkSite({ ...parts, ...(integrity && { integrity }) }), timeZone: config.timeZone }
    } finally {
      await site.database.close()
    }
  } catch (error) {
    const fault = faultOf(error)
    const others = (await checkMachine({ config, clock })).filter(({ check }) => check !== fault.check)
    return { checks: [...others, fault], timeZone: config.timeZone }
  }
}

/** Why the site could not be opened: its database, or settings that name a place which is not this site's. */
function faultOf(error: unknown): SiteCheck {
  const reason = reasonIn(error)
  if (error instanceof DatabaseUnusable && error.reason === 'damaged') {
    return judge('database', { damage: reason, bytes: 0, checkedAt: null })
  }
  const isDatabase = error instanceof DatabaseUnusable || error instanceof DatabaseUnreachable || isDatabaseAway(error)
  return isDatabase ? judge('database', { unusable: reason }) : judge('settings', { refused: reason })
}

function reasonIn(error: unknown) {
  return (error instanceof Error ? error.message : String(error)).replace(/^Cannot start: /, '')
}

const markWidth = 3
const nameWidth = Math.max(...Object.values(texts.names).map((name) => name.length)) + 2

function asText({ check, level, says, todo }: SiteCheck & ReturnType<typeof checkWords>) {
  const indent = ' '.repeat(markWidth + nameWidth)
  const lines = [says, ...(todo ? [todo] : [])].join('\n').split('\n')
  return `${marks[level].padEnd(markWidth)}${texts.names[check].padEnd(nameWidth)}${lines.join(`\n${indent}`)}`
}

keepFilesPrivate()
run(process.argv.slice(2)).catch((error: unknown) => {
  complain(reasonIn(error))
  process.exitCode = 2
})
