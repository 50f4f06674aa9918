import { benchBackups } from './backups.ts'
import { benchFonts, benchTap, benchWeight } from './browser.ts'
import { benchCrowd } from './crowd.ts'
import { benchImages } from './images.ts'
import { benchLighthouse } from './lighthouse.ts'
import { benchMail, benchProcesses } from './processes.ts'
import { benchReliability } from './reliability.ts'
import { benchPanel, benchSizes } from './sizes.ts'
import { benchSoak } from './soak.ts'
import { benchSignIn, benchStart } from './start.ts'
import { benchStrangers } from './strangers.ts'
import { benchThroughput } from './throughput.ts'

const benches = {
  start: benchStart,
  'sign-in': benchSignIn,
  throughput: benchThroughput,
  strangers: benchStrangers,
  sizes: benchSizes,
  processes: benchProcesses,
  mail: benchMail,
  weight: benchWeight,
  tap: benchTap,
  fonts: benchFonts,
  crowd: benchCrowd,
  panel: benchPanel,
  images: benchImages,
  lighthouse: benchLighthouse,
}

/** These take up to an hour, or gigabytes: they run only when they are named. */
const slowBenches = { backups: benchBackups, reliability: benchReliability, soak: benchSoak }
const allBenches: Record<string, () => Promise<unknown>> = { ...benches, ...slowBenches }

const names = process.argv.slice(2)
const unknown = names.filter((name) => !(name in allBenches))
if (unknown.length > 0) {
  process.stderr.write(`There is no bench called ${unknown.join(', ')}. There are: ${Object.keys(allBenches).join(', ')}.\n`)
  process.exit(1)
}
for (const name of names.length > 0 ? names : Object.keys(benches))
  process.stdout.write(`${name}\n${JSON.stringify(await allBenches[name]?.(), null, 2)}\n\n`)
