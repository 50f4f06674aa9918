import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createPublished } from './published.ts'
import { awayAfter, withTimeout } from './timeout.ts'

const away = Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' })

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

  test('is shown as it last was while the database does not answer at all', async () => {
    const { published, page, ask } = openShelf()
    expect(await page('before')).toBe('before')
    published.contentChanged()
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

  test('is the new one once the database has answered, however slow the machine is to make it', async () => {
    const { published, page, ask } = openShelf()
    expect(await page('before')).toBe('before')
    published.contentChanged()
    const longerThanTheDatabaseMay = () => withTimeout(awayAfter + 100, new Promise<void>(() => {}), undefined)
    expect(await ask(async () => 'after', longerThanTheDatabaseMay)).toBe('after')
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

  test('is shown as it last was while the database is slow in the middle of a long one', async () => {
    const { published, page } = openShelf()
    expect(await page('before')).toBe('before')
    published.contentChanged()
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
