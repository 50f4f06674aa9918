import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { backupVersion, importData, restoreComplete } from '#contract/backups.ts'
import { siteFields } from '#contract/site-fields.ts'
import { archiveEntries, contentOf, formWith, ownWords } from '#tests/backups.ts'
import { aStoredProject, storeProject, storeVersion } from '#tests/factories.ts'
import { rawZip } from '#tests/raw-zip.ts'
import { openTestApp } from '#tests/test-app.ts'

const project = {
  id: '7d1c9f0e-3a52-4f0b-9b58-0d6a2f5f4c11',
  title: 'Harbour tug',
  description: 'Brass and pear wood.',
  category: 'ships',
  imageUrl: 'https://example.com/tug.jpg',
  scale: '1:48',
  materials: null,
  techniques: null,
  timeSpent: '120',
  beforeImageUrl: null,
  afterImageUrl: null,
  featured: true,
  createdAt: '2026-04-01T08:00:00.000Z',
  titleEs: 'Remolcador',
  descriptionEs: null,
  materialsEs: null,
  techniquesEs: null,
} as const

const contact = {
  id: '2b6f1d44-5c0e-4c7a-8a55-6f7d3f1f9e02',
  name: 'Ada',
  email: 'ada@example.com',
  projectType: null,
  message: 'A tug, please.',
  createdAt: '2026-04-02T08:00:00.000Z',
}

const head = { format: 'vitrina-export', createdAt: '2026-05-01T12:00:00.000Z', counts: { projects: 1, contacts: 1 } }
const records = { projects: [project], contacts: [contact] }
/** Since version 3: photos beside the cover, drafts, the order, the trash and addresses. */
const sinceThird = { draft: true, rank: 1.5, deletedAt: null, addresses: ['harbour-tug', 'old-tug'] }
const stern = { imageUrl: 'https://example.com/stern.jpg', caption: 'The stern' }
const thirdProject = { ...project, ...sinceThird, photos: [{ ...stern, captionEs: null }] }

/** Since version 4: what has become of a message, what it is about, its replies and its photos. */
const fourthContact = {
  ...contact,
  state: 'quoted',
  language: 'es',
  aboutId: project.id,
  aboutTitle: 'Remolcador',
  note: 'Calls after six.',
  spamReason: null,
  changedAt: '2026-04-03T09:30:00.000Z',
  replies: [
    {
      id: '9c5b94b1-35ad-49bb-b118-8e8fc24abf80',
      text: 'With pleasure.\n> A tug, please.',
      createdAt: '2026-04-03T09:00:00.000Z',
      sentAt: '2026-04-03T09:00:05.000Z',
    },
  ],
  photos: ['e9f19a51a87df0831d6c312b21044711ca957df5f283915eb62908e5dbc8c40f'],
}

/** The one photo of it. */
const sent = Buffer.from(
  '/9j/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQk' +
    'UDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAA' +
    'AAAAAAAAAAAAf/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABAb/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRA' +
    'xEAPwCRAEId/9k=',
  'base64',
)

/** Since version 5: the maker's own words and pictures. */
const fifthSite = {
  fields: {
    'maker.brand': 'Ñandú & Söhne',
    'maker.phones.1': '',
    'en.hero.title': '<b>Ships</b> in brass',
    'es.hero.title': 'Barcos de latón',
    'photos.hero.image': '/objects/1f5d0a9c7b3e48d2a6f09c1be57d3380f4a92b6c8e17d05a3c4b9f6e2d81a750',
    'photos.hero.point': '50 30',
  },
  publishedAt: '2026-04-04T10:00:00.000Z',
}

/** Since version 6: translations by language. */
const { titleEs: title, descriptionEs: description, materialsEs: materials, techniquesEs: techniques, ...own } = project
const translated = { ...own, translations: { es: { title, description, materials, techniques } } }
const sixthProject = { ...translated, ...sinceThird, photos: [{ ...stern, translations: { es: { caption: null } } }] }

/** Since version 10: the sums of visits. */
const tenthSums = [
  { day: '2026-04-30', kind: 'looks', name: project.id, count: 12 },
  { day: '2026-04-30', kind: 'visits', name: '', count: 40 },
]

/** What a new site makes of a message of versions 1 to 3. */
const unknown = { language: null, aboutId: null, aboutTitle: null, note: null, spamReason: null, changedAt: null }
const contactFromBefore = { ...contact, ...unknown, state: 'new', replies: [], photos: [] }

/** What a new site makes of a project of versions 1 and 2. */
const newFromBefore = {
  ...translated,
  photos: [],
  draft: false,
  rank: Date.parse(project.createdAt),
  deletedAt: null,
  addresses: ['harbour-tug'],
}

const sums: Record<number, string> = {
  2: 'e1dfa9dc713402f0f8e19ae5d64788a0433f44c940b03a943de31a4e60b84c80',
  3: '4311724711eb1e8c6d1ae97b2637e8f1c89d55ca0f7965e702531c6dc9aee3c9',
  4: '338d2375f2919e743b208b0fa2e3895d19729c42ba2784eaf0248f1f92b11ddb',
  5: '0bf95bf266264d83e5f5f174f70b3e58031af9884eb2c773633c600bc964597a',
  6: '25667e05dde4f6a736ff06f4497146b21615ced516adb6fe2289fab3384e0389',
  7: '7562b4685533e21db37498d9ad0a1be40a6954cf2231591b7067f2802ae26229',
}

/** An export as each version wrote it. A new version adds its sum, and leaves the others as they are. */
const exportOf = (version: number) => ({
  ...head,
  version,
  ...(version >= 5 && { site: fifthSite }),
  projects: [version < 3 ? project : version < 6 ? thirdProject : sixthProject],
  contacts: [version < 4 ? contact : fourthContact],
  ...(version >= 2 && { sha256: sums[version] }),
})
const versions = Array.from({ length: backupVersion }, (_, index) => index + 1)

/** A record to a line since version 7, an export before. */
function archive(version: number, data: unknown) {
  const inquiryPhotos = version < 4 ? [] : [sent]
  if (version < 7) return rawZip(archiveEntries({ ...records, inquiryPhotos }, { manifest: { version }, data }))
  const latest = { projects: [sixthProject], contacts: [fourthContact], inquiryPhotos }
  const texts = {
    'site.json': JSON.stringify(fifthSite),
    ...(version >= 10 && { 'statistics.json': JSON.stringify(tenthSums) }),
  }
  return rawZip(archiveEntries(latest, { manifest: { version }, texts }))
}

describe('the versions of backups', () => {
  async function openSite() {
    const site = await openTestApp('sqlite')
    return { ...site, as: { as: await site.signedIn() } }
  }

  test.each(versions)('an export of version %i is read', async (version) => {
    const site = await openSite()
    await site.ask(importData, { body: exportOf(version), ...site.as })
    const { projects, contacts, site: own } = await contentOf(site)
    expect({ projects, contacts, own }).toEqual({
      projects: [version < 3 ? newFromBefore : sixthProject],
      contacts: [version < 4 ? contactFromBefore : { ...fourthContact, photos: [] }],
      own: version < 5 ? {} : fifthSite.fields,
    })
  })

  test.each(versions)('a complete backup of version %i is read', async (version) => {
    const site = await openSite()
    await site.ask(restoreComplete, { ...formWith(archive(version, exportOf(version))), ...site.as })
    const own = version < 5 ? {} : fifthSite.fields
    expect(await contentOf(site)).toMatchObject({ projects: [translated], contacts: [contact], site: own })
    const photo = { hash: fourthContact.photos[0], width: 8, height: 8, file: sent.toString('base64') }
    expect((await contentOf(site)).contacts[0]?.photos).toMatchObject(version < 4 ? [] : [photo])
    expect((await contentOf(site)).sums).toEqual(version < 10 ? [] : tenthSums)
  })

  test('a restore of an older format leaves what it does not know as it is', async () => {
    const site = await openSite()
    const { es } = sixthProject.translations
    const changed = {
      ...sixthProject,
      title: 'Changed since',
      timeSpent: '90',
      translations: { es: { ...es, materials: 'latón' } },
    }
    await storeProject(site.db, { ...aStoredProject(), ...changed, addresses: ['changed-since'] })
    await storeVersion(site.db, ownWords)
    const { timeSpent: _time, materialsEs: _materials, featured: _featured, ...older } = project
    const data = { ...head, version: 1, projects: [older], contacts: [contact] }
    const report = await site.ask(restoreComplete, { ...formWith(archive(1, data)), ...site.as })
    expect(report).toMatchObject({ broughtBack: { projects: 1 } })
    // Its title is the old one again, and both addresses lead to it.
    expect((await contentOf(site)).projects).toEqual([
      { ...changed, title: project.title, addresses: ['harbour-tug', 'changed-since'] },
    ])
    expect((await contentOf(site)).site).toEqual(ownWords)
    const again = await site.ask(restoreComplete, { ...formWith(archive(1, data)), ...site.as })
    expect(again).toMatchObject({ broughtBack: { projects: 0 } })
  })
})

test('a release that knows other fields of the site writes another version: an older one must not take its files for damaged', () => {
  const sum = createHash('sha256').update(siteFields.toSorted().join('\n')).digest('hex').slice(0, 12)
  expect([backupVersion, sum]).toEqual([10, '1ad873ab2b15'])
})
