import { benchContacts } from './contacts.ts'
import { benchCrowd } from './crowd.ts'
import { benchFuzz } from './fuzz.ts'
import { benchImages } from './images.ts'
import { benchLighthouse } from './lighthouse.ts'
import { benchPanel } from './panel.ts'
import { benchPreload } from './preload.ts'
import { benchProcesses } from './processes.ts'
import { benchReliability } from './reliability.ts'
import { benchSignIn } from './sign-in.ts'
import { benchSizes } from './sizes.ts'
import { benchSoak } from './soak.ts'
import { benchStart } from './start.ts'
import { benchTap } from './tap.ts'
import { benchStrangers, benchThroughput } from './throughput.ts'
import { benchWeight } from './weight.ts'

const benches: Record<string, () => Promise<unknown>> = {
  start: benchStart,
  throughput: benchThroughput,
  strangers: benchStrangers,
  sizes: benchSizes,
  processes: benchProcesses,
  weight: benchWeight,
  preload: benchPreload,
  tap: benchTap,
  'sign-in': benchSignIn,
  contacts: benchContacts,
  crowd: benchCrowd,
  panel: benchPanel,
  images: benchImages,
  fuzz: benchFuzz,
  lighthouse: benchLighthouse,
}

/** These take up to an hour: they run only when they are named. */
const slowBenches: Record<string, () => Promise<unknown>> = { reliability: benchReliability, soak: benchSoak }
const allBenches = { ...benches, ...slowBenches }

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in allBenches))
if (unknown.length > 0) {
  process.stderr.write(`There is no bench called ${unknown.join(', ')}. There are: ${Object.keys(allBenches).join(', ')}.\n`)
  process.exit(1)
}
for (const [name, bench] of Object.entries(wanted.length > 0 ? allBenches : benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  process.stdout.write(`${name}\n${JSON.stringify(await bench(), null, 2)}\n\n`)
}
