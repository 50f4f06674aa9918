import { expect, onTestFinished, test } from 'vitest'
import { sendContact } from '#contract/contacts.ts'
import { readImage } from '#contract/images.ts'
import { listProjects } from '#contract/projects.ts'
import { aContact } from '#tests/factories.ts'
import { openTestApp, type TestApp } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'
import type { Answered } from './http/request-log.ts'
import { openMetrics } from './metrics.ts'

async function siteWithMetrics(dialect: (typeof databases)[number]) {
  const seen: Answered[] = []
  const site = await openTestApp(dialect, { onAnswered: (answered) => seen.push(answered) })
  const metrics = await metricsOf(site)
  return { site, seen, ...metrics }
}

async function metricsOf({ database, encoder, variants }: TestApp) {
  const metrics = await openMetrics({
    connections: database.connections,
    waitingImages: encoder.waiting,
    waitingVariants: variants.waiting,
  })
  const port = await metrics.listen(0, '127.0.0.1')
  onTestFinished(() => metrics.stop())
  const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
  return { metrics, ask }
}

test.each(databases)('tell how long requests took, by route, and how things stand, on %s', async (dialect) => {
  const { site, seen, metrics, ask } = await siteWithMetrics(dialect)
  await site.ask(listProjects)
  await site.ask(sendContact, { body: aContact() })
  await site.call(readImage, { params: { hash: 'a'.repeat(64) } })
  await site.call({ ...listProjects, path: '/nowhere/in/particular' })
  expect(seen).toHaveLength(4)
  for (const answered of seen) metrics.answered(answered)

  const response = await ask('/metrics')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const text = await response.text()
  expect(text).toContain('vitrina_request_seconds_count{method="GET",route="/api/projects",status="200"} 1')
  expect(text).toContain('vitrina_request_seconds_count{method="POST",route="/api/contact",status="200"} 1')
  expect(text).toContain('vitrina_request_seconds_count{method="GET",route="/objects/:hash",status="404"} 1')
  expect(text).toContain('vitrina_request_seconds_count{method="GET",route="none",status="404"} 1')
  expect(text).toMatch(/^process_resident_memory_bytes \d+/m)
  expect(text).toMatch(/^vitrina_encoder_waiting 0$/m)
  expect(text).toMatch(/^vitrina_copies_waiting 0$/m)
  expect(/^vitrina_database_connections_most 10$/m.test(text)).toBe(dialect === 'postgres')
})

test('are all there is on their port', async () => {
  const { ask } = await siteWithMetrics('sqlite')
  expect((await ask('/')).status).toBe(404)
  expect((await ask('/metrics', { method: 'POST' })).status).toBe(404)
})
