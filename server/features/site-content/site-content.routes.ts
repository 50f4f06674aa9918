import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { valueFaults } from '#content/en/value-faults.ts'
import { faultSentence, withLabel } from '#content/value-faults.ts'
import type { ValueFault } from '#contract/problems.ts'
import {
  bringBackSiteVersion,
  changeSiteDraft,
  discardSiteDraft,
  listSiteVersions,
  publishSite,
  readSiteContent,
  readWords,
  type SiteContent,
} from '#contract/site-content.ts'
import { type FieldChanges, missingIn, type OwnFields, photosIn, tidiedFields } from '#contract/site-fields.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { addVersion, readPublished, siteContentLock } from '#server/database/site-content.ts'
import type { Db } from '#server/database/tables.ts'
import { Problem } from '#server/http/problem.ts'
import type { Published } from '#server/http/published.ts'
import { serve } from '#server/http/serve.ts'
import { countChanged, faultsOf, fieldsToPublish, settledChanges } from './draft.rules.ts'
import type { ReadOwnSite } from './own-site.ts'
import * as queries from './site-content.queries.ts'

type Parts = {
  database: Database
  clock: Clock
  published: Published
  readOwn: ReadOwnSite
  /** Has copies made of a photo that the page is to show. */
  preparePhoto(hash: string): void
}

export function siteContentRoutes(app: FastifyInstance, { database, clock, published, readOwn, preparePhoto }: Parts) {
  const { db } = database

  serve(app, readSiteContent, () => readContent(db))

  serve(app, changeSiteDraft, async ({ body, admin }) => {
    const changes = tidiedFields(body.changes)
    const changed = await change(body.revision, async (tx, content) => {
      const faults = faultsOf(changes, await queries.findImages(tx, changes))
      if (faults.length > 0) throw invalidFields(faults)
      await writeDraft(tx, content.published.fields, { ...content.draft?.changes, ...changes }, admin.adminId)
    })
    photosIn(changes).forEach(preparePhoto)
    return changed
  })

  serve(app, discardSiteDraft, ({ query, admin }) =>
    change(query.revision, (tx, content) => writeDraft(tx, content.published.fields, {}, admin.adminId)),
  )

  serve(app, publishSite, ({ body, admin }) =>
    change(body.revision, async (tx, { published: before, draft }) => {
      await publish(tx, before, fieldsToPublish(before.fields, draft?.changes ?? {}), admin.adminId)
      await writeDraft(tx, before.fields, {}, admin.adminId)
    }),
  )

  serve(app, listSiteVersions, async () => {
    const versions = await queries.listVersions(db)
    const asItCame = { number: 0, author: null, publishedAt: null, changed: 0 }
    const stored = versions.map(({ number, author, createdAt, fields }, index) => ({
      number,
      author,
      publishedAt: createdAt,
      changed: countChanged(fields, versions[index + 1]?.fields ?? {}),
    }))
    return { versions: [...stored, asItCame] }
  })

  serve(app, bringBackSiteVersion, ({ params, body, admin }) =>
    change(body.revision, async (tx, content) => {
      const fields = await queries.findVersion(tx, Number(params.number))
      if (!fields) throw new Problem('site_version_not_found')
      await publish(tx, content.published, fields, admin.adminId)
      // Of what is not published, some may be so again.
      if (content.draft) await writeDraft(tx, fields, content.draft.changes, admin.adminId)
    }),
  )

  serve(app, readWords, async ({ query: { lang }, request, reply }) =>
    published.send(request, reply, `words ${lang}`, async () => ({
      body: JSON.stringify((await readOwn(lang))?.words ?? {}),
      contentType: 'application/json; charset=utf-8',
    })),
  )

  /** One at a time, and only for who has seen what there is: nothing is overwritten unseen. */
  function change(revision: string, work: (tx: Db, content: SiteContent) => Promise<void>) {
    return database.exclusively(siteContentLock, async (tx) => {
      const content = await readContent(tx)
      if (content.revision !== revision) throw new Problem('site_changed')
      await work(tx, content)
      return readContent(tx)
    })
  }

  async function publish(tx: Db, before: SiteContent['published'], fields: OwnFields, adminId: string) {
    if (countChanged(fields, before.fields) === 0) throw new Problem('nothing_to_publish')
    const missing = missingIn(fields)
    if (missing) throw invalidFields([{ field: missing, fault: 'not_a_day' }])
    const author = await queries.findUsername(tx, adminId)
    const version = { number: before.number + 1, fields, author, createdAt: clock.now().toISOString() }
    // A backup that is being restored was quicker.
    if (!(await addVersion(tx, version))) throw new Problem('site_changed')
  }

  async function writeDraft(tx: Db, publishedFields: OwnFields, changes: FieldChanges, adminId: string) {
    await queries.writeDraft(tx, {
      changes: settledChanges(publishedFields, changes),
      revision: randomUUID(),
      author: await queries.findUsername(tx, adminId),
      changedAt: clock.now().toISOString(),
    })
  }
}

async function readContent(db: Db): Promise<SiteContent> {
  const draft = await queries.readDraft(db)
  const published = await readPublished(db)
  return {
    revision: `${published.number} ${draft?.revision ?? ''}`,
    published,
    draft: draft ? { changes: draft.changes, author: draft.author, changedAt: draft.changedAt } : null,
  }
}

function invalidFields(faults: ValueFault[]) {
  return new Problem('invalid_input', {
    details: { reason: 'fields', faults },
    fields: Object.fromEntries(faults.map((fault) => [fault.field, withLabel('', faultSentence(valueFaults, fault))])),
  })
}
