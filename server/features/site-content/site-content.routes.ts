import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { valueFaults } from '#content/en/problems.ts'
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
  setSiteOpened,
} from '#contract/site-content.ts'
import { type FieldChanges, missingIn, type OwnFields, photosIn, tidiedFields } from '#contract/site-fields.ts'
import type { Db } from '#server/database/tables.ts'
import { type Doer, noteActivity } from '#server/features/activity/activity.queries.ts'
import { addVersion, readPublished, siteContentLock } from '#server/features/site-content/site-content.queries.ts'
import { Problem } from '#server/http/problem.ts'
import { serve } from '#server/http/serve.ts'
import type { Site } from '#server/site.ts'
import { countChanged, faultsOf, fieldsToPublish, settledChanges } from './field-changes.rules.ts'
import * as queries from './site-content.queries.ts'

type Parts = Pick<Site, 'database' | 'clock' | 'published' | 'ownSite' | 'variants'>

export function siteContentRoutes(app: FastifyInstance, { database, clock, published, ownSite, variants }: Parts) {
  const { db } = database

  serve(app, readSiteContent, () => readContent(db))

  serve(app, changeSiteDraft, async ({ body, admin }) => {
    const changes = tidiedFields(body.changes)
    const changed = await change(body.revision, async (tx, content) => {
      const faults = faultsOf(changes, await queries.findImages(tx, changes))
      if (faults.length > 0) throw invalidFields(faults)
      await writeDraft(tx, content.published.fields, { ...content.draft?.changes, ...changes }, admin)
    })
    photosIn(changes).forEach(variants.prepareForSite)
    return changed
  })

  serve(app, discardSiteDraft, ({ query, admin }) =>
    change(query.revision, (tx, content) => writeDraft(tx, content.published.fields, {}, admin)),
  )

  serve(app, publishSite, ({ body, admin }) =>
    change(body.revision, async (tx, { published: before, draft }) => {
      await publish(tx, before, fieldsToPublish(before.fields, draft?.changes ?? {}), admin)
      await writeDraft(tx, before.fields, {}, admin)
      await noteActivity(tx, admin, { kind: 'texts_published' }, clock.now())
    }),
  )

  serve(app, listSiteVersions, async () => {
    const versions = await queries.listVersions(db)
    const defaults = { number: 0, author: null, publishedAt: null, changed: 0 }
    const stored = versions.map(({ number, author, createdAt, fields }, index) => ({
      number,
      author,
      publishedAt: createdAt,
      changed: countChanged(fields, versions[index + 1]?.fields ?? {}),
    }))
    return { versions: [...stored, defaults] }
  })

  serve(app, bringBackSiteVersion, ({ params, body, admin }) =>
    change(body.revision, async (tx, content) => {
      const fields = await queries.findVersion(tx, Number(params.number))
      if (!fields) throw new Problem('site_version_not_found')
      await publish(tx, content.published, fields, admin)
      // Changes of the draft may equal the version that is published again.
      if (content.draft) await writeDraft(tx, fields, content.draft.changes, admin)
      await noteActivity(tx, admin, { kind: 'texts_brought_back' }, clock.now())
    }),
  )

  serve(app, setSiteOpened, async ({ body: { opened }, admin }) => {
    await db.transaction().execute(async (tx) => {
      const changed = await tx.updateTable('site').set({ opened }).where('opened', '!=', opened).executeTakeFirst()
      if (changed.numUpdatedRows === 0n) return
      await noteActivity(tx, admin, { kind: opened ? 'site_opened' : 'site_closed' }, clock.now())
    })
    return { opened }
  })

  serve(app, readWords, async ({ query: { lang }, request, reply }) =>
    published.send(request, reply, `words ${lang}`, async () => ({
      body: JSON.stringify((await ownSite.read(lang))?.words ?? {}),
      contentType: 'application/json; charset=utf-8',
    })),
  )

  /** Refused where the content has changed since it was read: nothing is overwritten unseen. */
  function change(revision: string, work: (tx: Db, content: SiteContent) => Promise<void>) {
    return database.exclusively(siteContentLock, async (tx) => {
      const content = await readContent(tx)
      if (content.revision !== revision) throw new Problem('site_changed')
      await work(tx, content)
      return readContent(tx)
    })
  }

  async function publish(tx: Db, before: SiteContent['published'], fields: OwnFields, { username: author }: Doer) {
    if (countChanged(fields, before.fields) === 0) throw new Problem('nothing_to_publish')
    const missing = missingIn(fields)
    if (missing) throw invalidFields([{ field: missing, fault: 'not_a_day' }])
    const version = { number: before.number + 1, fields, author, createdAt: clock.now().toISOString() }
    // A restore has published a version meanwhile.
    if (!(await addVersion(tx, version))) throw new Problem('site_changed')
  }

  async function writeDraft(tx: Db, publishedFields: OwnFields, changes: FieldChanges, { username: author }: Doer) {
    await queries.writeDraft(tx, {
      changes: settledChanges(publishedFields, changes),
      revision: randomUUID(),
      author,
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
