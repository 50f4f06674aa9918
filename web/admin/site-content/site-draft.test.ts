import { beforeAll, describe, expect, test } from 'vitest'
import { loadSiteDefaults } from '#content/site-defaults.ts'
import type { SiteContent } from '#contract/site-content.ts'
import type { FieldChanges } from '#contract/site-fields.ts'
import { conflictsIn, type Typed } from './site-draft.rules.ts'
import { ConflictError, openSiteDraft } from './site-draft.ts'

beforeAll(loadSiteDefaults)

class Changed extends Error {}

/** A server of one draft, as small as can be. */
function aServer() {
  const draft: FieldChanges = {}
  let number = 0
  let version = 0
  let isAway = false
  const content = (): SiteContent => ({
    revision: String(number),
    published: { number: version, fields: {}, author: null, publishedAt: null },
    draft: number === 0 ? null : { changes: { ...draft }, author: 'ben', changedAt: '2026-11-17T09:00:00.000Z' },
  })
  const saves: FieldChanges[] = []
  return {
    saves,
    draft,
    away: (next: boolean) => {
      isAway = next
    },
    change(changes: FieldChanges) {
      Object.assign(draft, changes)
      number += 1
    },
    /** Publishes, discards or brings back, if the revision is the present one. */
    async act(revision: string) {
      if (revision !== String(number)) throw new Changed()
      version += 1
      number += 1
      return content()
    },
    version: () => version,
    read: async () => {
      if (isAway) throw new Error('away')
      return content()
    },
    async save({ revision, changes }: { revision: string; changes: FieldChanges }) {
      await Promise.resolve()
      if (isAway) throw new Error('away')
      if (revision !== String(number)) throw new Changed()
      saves.push(changes)
      this.change(changes)
      return content()
    },
  }
}

async function openedOn(server: ReturnType<typeof aServer>, kept: Typed = {}) {
  const tab = { kept }
  const draft = openSiteDraft({
    read: server.read,
    save: (body) => server.save(body),
    isChanged: (error) => error instanceof Changed,
    kept,
    keep: (typed) => {
      tab.kept = typed
    },
  })
  await draft.open()
  return { draft, tab }
}

/** What was typed could not be saved, and the server is back. */
async function typedWhileAway() {
  const server = aServer()
  const { draft } = await openedOn(server)
  server.away(true)
  draft.type('maker.brand', 'Mine')
  await draft.flush()
  server.away(false)
  return { server, draft }
}

describe('the draft of the site', () => {
  test('saves what is typed by one request at a time, and keeps only what is not saved', async () => {
    const server = aServer()
    const { draft, tab } = await openedOn(server)
    draft.type('maker.brand', 'One')
    expect(tab.kept).toHaveProperty('maker.brand')
    const first = draft.flush()
    draft.type('maker.heroScale', '1:48')
    draft.type('maker.email', 'no address')
    await Promise.all([first, draft.flush()])
    expect(server.draft).toEqual({ 'maker.brand': 'One', 'maker.heroScale': '1:48' })
    expect(Object.keys(tab.kept)).toEqual(['maker.email'])
    draft.stop()
  })

  test('keeps what could not be saved and saves it later, also after a reload', async () => {
    const server = aServer()
    const { draft, tab } = await openedOn(server)
    server.away(true)
    draft.type('maker.brand', 'One')
    await draft.flush()
    expect(draft.get()).toMatchObject({ isSaving: false, error: expect.any(Error) })
    draft.stop()
    server.away(false)
    const again = await openedOn(server, tab.kept)
    expect(server.draft).toEqual({ 'maker.brand': 'One' })
    expect(again.draft.get()).toMatchObject({ typed: {}, error: undefined })
    again.draft.stop()
  })

  test('goes on with what does not overlap when another tab has changed something, and asks about the rest', async () => {
    const server = aServer()
    const { draft } = await openedOn(server)
    server.change({ 'maker.brand': 'Theirs' })
    draft.type('maker.brand', 'Mine')
    draft.type('maker.heroScale', '1:48')
    await draft.flush()
    expect(server.draft).toEqual({ 'maker.brand': 'Theirs', 'maker.heroScale': '1:48' })
    const { content, typed } = draft.get()
    expect(content && conflictsIn(content, typed)).toMatchObject([{ field: 'maker.brand', mine: 'Mine', saved: 'Theirs' }])
    draft.keepMine('maker.brand')
    await draft.flush()
    expect(server.draft['maker.brand']).toBe('Mine')
    draft.stop()
  })

  test('publishes after everything typed is saved, and not when that failed', async () => {
    const server = aServer()
    const { draft } = await openedOn(server)
    draft.type('maker.brand', 'One')
    const revisions: string[] = []
    const publish = async (revision: string) => {
      revisions.push(revision)
      return server.read()
    }
    await draft.act(publish)
    expect(revisions).toEqual(['1'])
    server.away(true)
    draft.type('maker.brand', 'Two')
    await expect(draft.act(publish)).rejects.toThrow('away')
    expect(revisions).toEqual(['1'])
    draft.stop()
  })

  test('reads anew when publishing is refused because of a newer revision', async () => {
    const server = aServer()
    const { draft } = await openedOn(server)
    server.change({ 'maker.brand': 'Theirs' })
    await expect(draft.act(server.act)).rejects.toThrow(Changed)
    expect(draft.get().content?.revision).toBe('1')
    await draft.act(server.act)
    expect(server.version()).toBe(1)
    draft.stop()
  })

  test('discards no change of another tab that was not on screen yet', async () => {
    const { server, draft } = await typedWhileAway()
    server.change({ 'en.about.paragraphs.0': 'Theirs' })
    await expect(draft.act(server.act, { dropTyped: true })).rejects.toThrow(ConflictError)
    expect(server.version()).toBe(0)
    expect(draft.get().content?.draft?.changes).toEqual({ 'en.about.paragraphs.0': 'Theirs' })
    await draft.act(server.act, { dropTyped: true })
    expect(draft.get().typed).toEqual({})
    draft.stop()
  })

  test.each([
    ['beside what was typed', { 'en.about.paragraphs.0': 'Theirs' }],
    ['the same', { 'maker.brand': 'Theirs' }],
  ])('publishes nothing when another tab has changed %s within the pause of typing', async (_what, change) => {
    const server = aServer()
    const { draft } = await openedOn(server)
    draft.type('maker.brand', 'Mine')
    server.change(change)
    await expect(draft.act(server.act)).rejects.toThrow(ConflictError)
    expect(server.version()).toBe(0)
    draft.stop()
  })

  test('publishes what was saved although its answer was lost', async () => {
    const { server, draft } = await typedWhileAway()
    server.change({ 'maker.brand': 'Mine' })
    await draft.act(server.act)
    expect(server.version()).toBe(1)
    draft.stop()
  })

  test('undoes the version it was asked to undo, whatever the draft is, and no newer one', async () => {
    const server = aServer()
    const { draft } = await openedOn(server)
    await draft.act(server.act)
    server.change({ 'maker.brand': 'Theirs' })
    await draft.act(server.act, { from: 1 })
    expect(server.version()).toBe(2)
    await server.act('3')
    await expect(draft.act(server.act, { from: 2 })).rejects.toThrow(ConflictError)
    draft.type('maker.heroScale', '1:48')
    await draft.flush()
    await expect(draft.act(server.act, { from: 2 })).rejects.toThrow(ConflictError)
    expect(server.version()).toBe(3)
    draft.stop()
  })
})
