import { z } from 'zod/mini'
import { mergeReport } from './backups.ts'
import { endpoint } from './endpoint.ts'
import { done, moment, recordId } from './text.ts'

/** The body is the file, which is kept under an id until it is merged, and for two days. */
export const sendBackup = endpoint({
  method: 'POST',
  path: '/api/admin/backup/uploads',
  access: 'owner',
  summary: 'Sends a file that is to be previewed, and then restored or imported.',
  reply: z.strictObject({ id: z.uuid() }),
})

/** A backup that is listed, or a file that was sent, with the name it has at home. */
const mergeSource = z.strictObject({ filename: z.string().check(z.maxLength(255)), upload: z.optional(z.uuid()) })
export type MergeSource = z.infer<typeof mergeSource>

const mergeModes = ['import', 'restore'] as const

const shownValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()])

/** A value of which this site and the file have different ones. */
const difference = z.strictObject({ field: z.string(), current: shownValue, incoming: shownValue })
export type Difference = z.infer<typeof difference>

const projectChange = z.strictObject({
  /** Its place in the file, from 0: how it is left out. */
  number: z.int(),
  change: z.enum(['added', 'changed', 'out_of_trash']),
  title: z.string(),
  /** What it is called here, where it exists. */
  currentTitle: z.nullable(z.string()),
  /** None for one that is added. */
  differences: z.array(difference),
})
export type ProjectChange = z.infer<typeof projectChange>

/** How many changed and added projects are shown one by one. */
export const mostChangesShown = 200

const changeCounts = z.strictObject({ added: z.int(), changed: z.int(), alreadyThere: z.int() })

const mergePreview = z.strictObject({
  mode: z.enum(mergeModes),
  /** When the file was made, if it says so. */
  createdAt: z.nullable(moment),
  projects: changeCounts,
  contacts: changeCounts,
  /** Photos in the file that the site does not have, and those it has. */
  images: z.strictObject({ added: z.int(), alreadyThere: z.int() }),
  inquiryPhotos: z.strictObject({ added: z.int(), alreadyThere: z.int() }),
  /** Photos that neither the file nor the site has. */
  missingImages: z.int(),
  /** The first of them, in the order of the file. */
  changes: z.array(projectChange),
  /** Texts and photos of the site itself, as far as they would change. */
  site: z.array(difference),
})
export type MergePreview = z.infer<typeof mergePreview>

const toBeMerged = { source: mergeSource, mode: z.enum(mergeModes) }

export const previewMerge = endpoint({
  method: 'POST',
  path: '/api/admin/backup/preview',
  access: 'owner',
  summary: 'What an import or a restore would do. Nothing is written.',
  body: z.strictObject(toBeMerged),
  reply: mergePreview,
})

export const restoredReport = z.strictObject({
  id: z.uuid(),
  mode: z.enum(mergeModes),
  /** The name of the file. */
  filename: z.string(),
  at: moment,
  ...mergeReport.shape,
  /** Null until it was undone: what that did. */
  undone: z.nullable(
    z.strictObject({
      at: moment,
      /** As they were. */
      broughtBack: z.strictObject({ projects: z.int(), contacts: z.int() }),
      /** Those that had been added: projects go into the trash, messages away. */
      takenOut: z.strictObject({ projects: z.int(), contacts: z.int() }),
      /** Whether the texts of the site were brought back too. */
      site: z.boolean(),
      /** Changed since, and therefore left as they are. */
      left: z.int(),
    }),
  ),
  /** Whether it can be undone: it has changed something, and nothing was restored since. */
  canUndo: z.boolean(),
})
export type RestoredReport = z.infer<typeof restoredReport>

export const applyMerge = endpoint({
  method: 'POST',
  path: '/api/admin/backup/restores',
  access: 'confirmed',
  summary: 'Imports or restores a listed backup or a file that was sent, without the projects that were left out.',
  body: z.strictObject({ ...toBeMerged, without: z.array(z.int().check(z.gte(0))).check(z.maxLength(mostChangesShown)) }),
  reply: restoredReport,
})

export const undoMerge = endpoint({
  method: 'POST',
  path: '/api/admin/backup/restores/:id/undo',
  access: 'confirmed',
  summary: 'Makes what the last import or restore has changed as it was; what it added goes into the trash.',
  params: recordId,
  reply: restoredReport,
})

export const putReportAway = endpoint({
  method: 'POST',
  path: '/api/admin/backup/restores/:id/put-away',
  access: 'owner',
  summary: 'Takes the report of the last import or restore off the page.',
  params: recordId,
  reply: done,
})
