import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { wordsPath } from './first-visit.ts'
import { languages } from './languages.ts'
import { type FieldChanges, type OwnFields, siteFields } from './site-fields.ts'
import { moment } from './text.ts'

/** More than any field takes, so that what is too long is refused by its own rule. */
const value = z.string().check(z.maxLength(5_000))
const shapeOf = <V extends z.core.$ZodType>(each: V) => Object.fromEntries(siteFields.map((field) => [field, each]))

export const ownFields: z.ZodMiniType<OwnFields, OwnFields> = z.strictObject(shapeOf(z.optional(value)))
const fieldChanges: z.ZodMiniType<FieldChanges, FieldChanges> = z.strictObject(shapeOf(z.optional(z.nullable(value))))

/** Changes with the draft and with what is published; a change made from an older one is refused. */
const revision = z.string().check(z.maxLength(80))

/** How many of the published versions are kept. */
export const mostVersions = 30

/** The name of the account that published it; null when a backup brought it. */
const author = z.nullable(z.string())

const siteContent = z.strictObject({
  revision,
  /** 0 is the site as it came, which is always there. */
  published: z.strictObject({ number: z.int(), fields: ownFields, author, publishedAt: z.nullable(moment) }),
  /** What is not published yet. */
  draft: z.nullable(z.strictObject({ changes: fieldChanges, author, changedAt: moment })),
})
export type SiteContent = z.infer<typeof siteContent>

const contentPath = '/api/admin/site'

export const readSiteContent = endpoint({
  method: 'GET',
  path: contentPath,
  access: 'admin',
  summary: 'The words and pictures of the site as far as they are not those it came with, and the draft.',
  reply: siteContent,
})

export const changeSiteDraft = endpoint({
  method: 'PUT',
  path: `${contentPath}/draft`,
  access: 'admin',
  summary: 'Changes fields of the draft; null is for as the site came. Refused when somebody has changed it meanwhile.',
  body: z.strictObject({ revision, changes: fieldChanges }),
  reply: siteContent,
})

export const discardSiteDraft = endpoint({
  method: 'DELETE',
  path: `${contentPath}/draft`,
  access: 'admin',
  summary: 'Drops what is not published.',
  query: z.strictObject({ revision }),
  reply: siteContent,
})

export const publishSite = endpoint({
  method: 'POST',
  path: `${contentPath}/publish`,
  access: 'owner',
  summary: 'Shows the draft to everybody, as a new version.',
  body: z.strictObject({ revision }),
  reply: siteContent,
})

const versionNumber = z.strictObject({ number: z.string().check(z.regex(/^\d{1,9}$/)) })

const siteVersion = z.strictObject({
  number: z.int(),
  author,
  publishedAt: z.nullable(moment),
  /** How many fields are other than in the version before it; for the oldest that is kept, than the site came with. */
  changed: z.int(),
})
export type SiteVersion = z.infer<typeof siteVersion>

export const listSiteVersions = endpoint({
  method: 'GET',
  path: `${contentPath}/versions`,
  access: 'admin',
  summary: 'The last published versions, the newest first, and at the end the site as it came.',
  reply: z.strictObject({ versions: z.array(siteVersion) }),
})

export const bringBackSiteVersion = endpoint({
  method: 'POST',
  path: `${contentPath}/versions/:number/publish`,
  access: 'owner',
  summary: 'Shows an earlier version again, as a new one. The draft stays.',
  params: versionNumber,
  body: z.strictObject({ revision }),
  reply: siteContent,
})

export const setSiteOpened = endpoint({
  method: 'PUT',
  path: `${contentPath}/opened`,
  access: 'owner',
  summary: 'Opens a new site: until then visitors read that it opens soon. The calls are never closed.',
  body: z.strictObject({ opened: z.boolean() }),
  reply: z.strictObject({ opened: z.boolean() }),
})

export const readWords = endpoint({
  method: 'GET',
  path: wordsPath,
  access: 'public',
  summary: 'The own words of the site in a language, for a page that is switched to it.',
  query: z.strictObject({ lang: z.enum(languages) }),
  reply: z.record(z.string(), z.string()),
})
