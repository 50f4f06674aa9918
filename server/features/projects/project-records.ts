import { sql } from 'kysely'
import { isLanguage } from '#contract/languages.ts'
import {
  type PhotoInput,
  type ProjectInput,
  type StoredPhoto,
  type TranslatedField,
  type TranslatedPhotoField,
  type TranslationInput,
  type Translations,
  textOf,
  translatedFields,
  translatedPhotoFields,
  wholeTranslations,
} from '#contract/project-fields.ts'
import { someAtATime } from '../../database/slices.ts'
import type { Db, ProjectRow } from '../../database/tables.ts'
import { giveAddresses, insertAddresses } from './project-addresses.ts'

export type NewProject = ProjectInput & {
  id: string
  createdAt: string
  /** Defaults to its date. */
  rank?: number | undefined
  deletedAt?: string | null | undefined
  /** The current one first. Defaults to one from the title. */
  addresses?: readonly string[] | undefined
}

/** Writes a project with its translations, photos and addresses in one transaction. */
export async function insertProjects(db: Db, projects: readonly NewProject[]) {
  await inTransaction(db, async (tx) => {
    for await (const some of someAtATime(projects)) {
      const slugs = await giveAddresses(
        tx,
        some.map((project) => ({ ...project, title: textOf(project, 'title') ?? '' })),
      )
      const rows = some.map(({ photos: _photos, addresses: _addresses, translations: _translations, ...project }) => ({
        ...project,
        rank: project.rank ?? Date.parse(project.createdAt),
        deletedAt: project.deletedAt ?? null,
        slug: slugs.get(project.id) ?? project.id,
      }))
      await tx.insertInto('projects').values(rows).execute()
      await insertAddresses(tx, some.flatMap(addressesOf))
      await insertTexts(
        tx,
        some.map(({ id, translations }) => ({ id, translations: wholeTranslations(translatedFields, translations) })),
      )
      await insertPhotos(tx, some)
    }
  })
}

type Values = { [Name in keyof Omit<NewProject, 'id'>]?: NewProject[Name] | undefined }

/** Increments the version. Returns whether the project was found. */
export async function updateProject(db: Db, target: { id: string; version?: number; deletedAt?: null }, values: Values) {
  return inTransaction(db, async (tx) => {
    const { photos, addresses, translations, ...fields } = values
    const { numUpdatedRows } = await tx
      .updateTable('projects')
      .set({ ...fields, version: sql`version + 1` })
      .where((project) => project.and(target))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    const { id } = target
    if (translations) await updateTexts(tx, id, translations)
    if (fields.title !== undefined || translations) await updateSlug(tx, { id, addresses, isRenamed: Boolean(fields.title) })
    await insertAddresses(tx, addressesOf({ id, addresses }))
    if (photos) {
      await tx.deleteFrom('projectPhotos').where('projectId', '=', id).execute()
      await insertPhotos(tx, [{ id, photos }])
    }
    return true
  })
}

/** Without a title in the site's own language the slug is made from another one's. */
async function updateSlug(
  tx: Db,
  { id, addresses, isRenamed }: Pick<Values, 'addresses'> & { id: string; isRenamed: boolean },
) {
  const rows = await tx.selectFrom('projects').select(['id', 'title']).where('id', '=', id).execute()
  for (const project of await withTexts(tx, rows, ['title'])) {
    const title = isRenamed || project.title === '' ? textOf(project, 'title') : null
    const slug = title && (await giveAddresses(tx, [{ id, title, addresses }])).get(id)
    if (slug) await tx.updateTable('projects').set({ slug }).where('id', '=', id).where('slug', '!=', slug).execute()
  }
}

function addressesOf({ id, addresses = [] }: { id: string; addresses?: readonly string[] | undefined }) {
  return addresses.map((slug) => ({ slug, projectId: id }))
}

type Texts<Name extends string> = Record<Name, string | null>

const isWritten = (texts: Texts<string>) => Object.values(texts).some((text) => text !== null)

/** A row per language that has a text. */
function rowsIn<Name extends string>(translations: Translations<Name>) {
  return Object.entries(translations).flatMap(([language, texts]) =>
    isLanguage(language) && isWritten(texts) ? [{ language, ...(texts as Texts<Name>) }] : [],
  )
}

async function insertTexts(tx: Db, projects: readonly { id: string; translations: Translations<TranslatedField> }[]) {
  const rows = projects.flatMap(({ id, translations }) => rowsIn(translations).map((row) => ({ projectId: id, ...row })))
  for await (const some of someAtATime(rows)) await tx.insertInto('projectTexts').values(some).execute()
}

/** Languages that are not sent stay. The update above has locked the project's row. */
async function updateTexts(tx: Db, id: string, sent: TranslationInput<TranslatedField>) {
  const [before] = await withTexts(tx, [{ id }], translatedFields)
  const translations = wholeTranslations(translatedFields, sent, before?.translations)
  // Rows in unlisted languages stay.
  const listed = Object.keys(translations).filter(isLanguage)
  if (listed.length === 0) return
  await tx.deleteFrom('projectTexts').where('projectId', '=', id).where('language', 'in', listed).execute()
  await insertTexts(tx, [{ id, translations }])
}

/** With the translations of these fields. */
export async function withTexts<Row extends Pick<ProjectRow, 'id'>, Field extends TranslatedField>(
  db: Db,
  projects: readonly Row[],
  fields: readonly Field[],
) {
  const texts = new Map<string, TranslationInput<Field>>()
  for await (const some of someAtATime(projects.map(({ id }) => id))) {
    const columns = ['projectId', 'language', ...(fields as readonly TranslatedField[])] as const
    const rows = await db.selectFrom('projectTexts').select(columns).where('projectId', 'in', some).execute()
    for (const { projectId, language, ...row } of rows) texts.set(projectId, { ...texts.get(projectId), [language]: row })
  }
  return projects.map((project) => ({
    ...project,
    translations: wholeTranslations(fields, texts.get(project.id) ?? {}),
  }))
}

async function insertPhotos(tx: Db, projects: readonly { id: string; photos: readonly PhotoInput[] }[]) {
  const photos = projects.flatMap(({ id, photos }) =>
    photos.map(({ imageUrl, caption, translations }, position) => ({
      row: { projectId: id, position, imageUrl, caption },
      texts: rowsIn(wholeTranslations(translatedPhotoFields, translations)).map((row) => ({ projectId: id, position, ...row })),
    })),
  )
  for await (const some of someAtATime(photos)) {
    await tx
      .insertInto('projectPhotos')
      .values(some.map(({ row }) => row))
      .execute()
    const texts = some.flatMap((photo) => photo.texts)
    if (texts.length > 0) await tx.insertInto('projectPhotoTexts').values(texts).execute()
  }
}

/** The photos of each, in their order. */
export async function withPhotos<Row extends Pick<ProjectRow, 'id'>>(db: Db, projects: readonly Row[]) {
  const photos = new Map<string, StoredPhoto[]>(projects.map(({ id }) => [id, []]))
  for await (const some of someAtATime(projects.map(({ id }) => id))) {
    const rows = await db
      .selectFrom('projectPhotos')
      .selectAll()
      .where('projectId', 'in', some)
      .orderBy('projectId')
      .orderBy('position')
      .execute()
    const texts = new Map<string, TranslationInput<TranslatedPhotoField>>()
    const textRows = await db.selectFrom('projectPhotoTexts').selectAll().where('projectId', 'in', some).execute()
    for (const { projectId, position, language, ...row } of textRows) {
      const key = `${projectId} ${position}`
      texts.set(key, { ...texts.get(key), [language]: row })
    }
    for (const { projectId, position, ...photo } of rows) {
      const translations = wholeTranslations(translatedPhotoFields, texts.get(`${projectId} ${position}`) ?? {})
      photos.get(projectId)?.push({ ...photo, translations })
    }
  }
  return projects.map((project) => ({ ...project, photos: photos.get(project.id) ?? [] }))
}

export async function countPhotos(db: Db, projects: readonly Pick<ProjectRow, 'id'>[]) {
  const counts = new Map<string, number>()
  for await (const some of someAtATime(projects.map(({ id }) => id))) {
    const rows = await db
      .selectFrom('projectPhotos')
      .select(['projectId', (row) => row.fn.countAll<number>().as('count')])
      .where('projectId', 'in', some)
      .groupBy('projectId')
      .execute()
    for (const { projectId, count } of rows) counts.set(projectId, Number(count))
  }
  return counts
}

/** The addresses of each, the current one first. */
export async function withAddresses<Row extends Pick<ProjectRow, 'id' | 'slug'>>(db: Db, projects: readonly Row[]) {
  const rows: { projectId: string; slug: string }[] = []
  for await (const some of someAtATime(projects.map(({ id }) => id))) {
    const addresses = db.selectFrom('projectAddresses').selectAll().where('projectId', 'in', some)
    rows.push(...(await addresses.execute()))
  }
  const addresses = new Map(projects.map(({ id, slug }) => [id, [slug]]))
  // Sorted here: databases collate differently.
  for (const { projectId, slug } of rows.toSorted((a, b) => (a.slug < b.slug ? -1 : 1)))
    if (addresses.get(projectId)?.[0] !== slug) addresses.get(projectId)?.push(slug)
  return projects.map(({ slug, ...project }) => ({ ...project, addresses: addresses.get(project.id) ?? [slug] }))
}

function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>) {
  return db.isTransaction ? work(db) : db.transaction().execute(work)
}
