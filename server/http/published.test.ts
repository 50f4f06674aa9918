import { gunzipSync } from 'node:zlib'
import type { PluginTransformQueryArgs, PluginTransformResultArgs } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { homePage } from '#contract/pages.ts'
import { createProject, deleteProject } from '#contract/projects.admin.ts'
import { listProjects } from '#contract/projects.ts'
import { watchContentVersion } from '#server/database/content-version.ts'
import { aProject } from '#tests/factories.ts'
import { openTestApp, type TestApp } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'
import { withTimeout } from '../clock.ts'
import { awayAfter, createPublished } from './published.ts'

const away = Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' })

function held<T>() {
  let resolve = (_value: T) => {}
  const promise = new Promise<T>((fulfil) => {
    resolve = fulfil
  })
  return { promise, resolve }
}

function openShelf() {
  const published = createPublished()
  const made: string[] = []
  const ask = async (make: () => Promise<string>, render = async () => {}) => {
    const { gzip } = await published.get('page', async () => {
      const text = await make()
      const body = async () => {
        await render()
        made.push(text)
        return text
      }
      return { body, contentType: 'text/plain' }
    })
    return gunzipSync(gzip).toString()
  }
  return {
    published,
    made,
    ask,
    page: (body: string) => ask(async () => body),
    /** One whose reading is answered by the test. */
    slowly() {
      const { promise, resolve } = held<string>()
      return { slow: ask(() => promise), answer: resolve }
    },
    failing: (error: Error) => ask(() => Promise.reject(error)),
  }
}

describe('what all visitors share', () => {
  test('is made once, however many ask at once, until the content changes', async () => {
    const { published, made, page } = openShelf()
    expect(await Promise.all([page('first'), page('first'), page('first')])).toEqual(['first', 'first', 'first'])
    published.contentChanged()
    expect([await page('second'), await page('third')]).toEqual(['second', 'second'])
    expect(made).toEqual(['first', 'second'])
  })

  test('needs no second rendering while it is being made, and one after the content has changed', async () => {
    const { published, slowly } = openShelf()
    expect(published.needsRendering('page')).toBe(true)
    const { slow, answer } = slowly()
    expect(published.needsRendering('page')).toBe(false)
    published.contentChanged()
    expect(published.needsRendering('page')).toBe(true)
    answer('first')
    await slow
    expect(published.needsRendering('page')).toBe(true)
  })

  test('is not kept when the content changed while it was being made', async () => {
    const { published, ask, page } = openShelf()
    let finish = () => {}
    const slow = ask(
      () =>
        new Promise((resolve) => {
          finish = () => resolve('of before')
        }),
    )
    published.contentChanged()
    expect(await page('of after')).toBe('of after')
    finish()
    expect(await slow).toBe('of before')
    expect(await page('made in vain')).toBe('of after')
  })

  test('is not taken from a making that began before a change and is still under way', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { published, page, slowly } = openShelf()
    expect(await page('before')).toBe('before')
    published.contentUnknown()
    const { slow, answer } = slowly()
    vi.setSystemTime(Date.now() + awayAfter)
    published.contentChanged()
    expect(await page('after')).toBe('after')
    answer('of a moment before the change')
    await slow
    expect(await page('made in vain')).toBe('after')
  })

  test('is waited for after a change though the database was away in between', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { published, page, failing, slowly } = openShelf()
    expect(await page('before')).toBe('before')
    published.contentChanged()
    expect(await failing(away)).toBe('before')
    published.contentUnknown()
    const { slow, answer } = slowly()
    expect(await withTimeout(awayAfter + 100, slow, 'nothing yet')).toBe('nothing yet')
    answer('after')
    expect(await slow).toBe('after')
  })

  test('is shown as it last was while the database is away, and made anew when it is back', async () => {
    const { published, page, failing } = openShelf()
    await expect(failing(away)).rejects.toThrow(away)
    expect(await page('before')).toBe('before')
    published.contentChanged()
    expect(await failing(away)).toBe('before')
    published.contentChanged()
    expect(await page('after')).toBe('after')
  })

  test('does not cover up any other failure', async () => {
    const { published, page, failing } = openShelf()
    expect(await page('before')).toBe('before')
    published.contentChanged()
    await expect(failing(new Error('a mistake of ours'))).rejects.toThrow('a mistake of ours')
    expect(await page('after')).toBe('after')
  })

  test('costs a bounded amount of memory, however small and however many', async () => {
    const published = createPublished({ maxBytes: 100_000 })
    let made = 0
    const ask = (key: number) =>
      published.get(`${key}`, async () => {
        made += 1
        return { body: '[]', contentType: 'text/plain' }
      })
    const many = 50
    for (let key = 0; key < many; key += 1) await ask(key)
    await ask(many - 1)
    expect(made).toBe(many)
    await ask(0)
    expect(made).toBe(many + 1)
  })
})

// At once, because each waits for a second.
describe.concurrent('what all visitors share, from a slow database', () => {
  test('is shown as it last was while the database does not answer at all', async ({ expect }) => {
    const { published, page, ask } = openShelf()
    expect(await page('before')).toBe('before')
    published.contentUnknown()
    let answer = (_body: string) => {}
    const frozen = () =>
      ask(
        () =>
          new Promise((resolve) => {
            answer = resolve
          }),
      )
    expect(await Promise.all([frozen(), frozen()])).toEqual(['before', 'before'])
    answer('after')
    await expect.poll(() => page('made in vain')).toBe('after')
  })

  test('is the new one once the database has answered, however slow the machine is to make it', async ({ expect }) => {
    const { published, page, ask } = openShelf()
    expect(await page('before')).toBe('before')
    published.contentChanged()
    const longerThanTheDatabaseMay = () => withTimeout(awayAfter + 100, new Promise<void>(() => {}), undefined)
    expect(await ask(async () => 'after', longerThanTheDatabaseMay)).toBe('after')
  })

  test('is waited for after a change, however slow the database is', async ({ expect }) => {
    const { published, page, slowly } = openShelf()
    expect(await page('before')).toBe('before')
    published.contentChanged()
    const { slow, answer } = slowly()
    expect(await withTimeout(awayAfter + 100, slow, 'nothing yet')).toBe('nothing yet')
    answer('after')
    expect(await slow).toBe('after')
  })

  test('is shown as it last was while the database is slow in the middle of a long one', async ({ expect }) => {
    const { published, page } = openShelf()
    expect(await page('before')).toBe('before')
    published.contentUnknown()
    let goOn = () => {}
    const pieces = async function* () {
      yield 'the first piece'
      await new Promise<void>((resolve) => {
        goOn = resolve
      })
    }
    const { gzip } = await published.get('page', async () => ({ body: pieces(), contentType: 'text/plain' }))
    expect(gunzipSync(gzip).toString()).toBe('before')
    goOn()
    await expect.poll(() => page('made in vain')).toBe('the first piece')
  })
})

const readAll = (site: TestApp) =>
  Promise.all([
    site.call(homePage),
    site.call(homePage, { query: { lang: 'es' } }),
    site.call(listProjects),
    site.call(listProjects, { query: { category: 'ships' } }),
  ]).then((answers) => answers.map(({ body }) => body))

describe('after the answer to a change', () => {
  test('a page whose rendering began before it is served to no later visitor', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    let rendering: Promise<unknown> = Promise.resolve()
    let begun = 0
    const site = await openTestApp('sqlite', {
      onRender: async () => {
        begun += 1
        await rendering
      },
    })
    const maker = await site.signedIn()
    await site.call(homePage)
    await site.ask(createProject, { as: maker, body: aProject({ title: 'Galleon' }) })
    const { promise, resolve } = held<void>()
    rendering = promise
    const before = begun
    const earlier = site.call(homePage)
    await expect.poll(() => begun).toBe(before + 1)
    rendering = Promise.resolve()
    vi.setSystemTime(Date.now() + awayAfter)
    await site.ask(createProject, { as: maker, body: aProject({ title: 'Schooner' }) })
    const later = site.call(homePage)
    resolve()
    expect((await later).body).toContain('Schooner')
    await earlier
    expect((await site.call(homePage)).body).toContain('Schooner')
  })
})

describe.each(databases)('after the answer to a change on %s', (dialect) => {
  test('everybody is shown it, however late the content version is read', async () => {
    let delivery: Promise<unknown> = Promise.resolve()
    const reading = { transformQuery: ({ node }: PluginTransformQueryArgs) => node, transformResult: deliver }
    async function deliver({ result }: PluginTransformResultArgs) {
      await delivery
      return result
    }
    const site = await openTestApp(dialect, {
      wrap: (database) => ({
        ...database,
        watchContent: (changed, unknown) => watchContentVersion(database.db.withPlugin(reading), changed, unknown),
      }),
    })
    const maker = await site.signedIn()
    await readAll(site)
    const { promise, resolve } = held<void>()
    delivery = promise
    const saving = site.ask(createProject, { as: maker, body: aProject({ title: 'Galleon', category: 'ships' }) })
    await expect.poll(() => site.db.selectFrom('projects').select('id').execute()).toHaveLength(1)
    await readAll(site)
    resolve()
    const { id } = await saving
    for (const body of await readAll(site)) expect(body).toContain('Galleon')
    await site.ask(deleteProject, { as: maker, params: { id } })
    for (const body of await readAll(site)) expect(body).not.toContain('Galleon')
  })
})
