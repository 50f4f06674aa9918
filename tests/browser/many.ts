import { randomUUID } from 'node:crypto'
import type { APIRequestContext } from '@playwright/test'
import { signIn } from '#contract/admins.ts'
import { importData } from '#contract/backups.ts'
import { categories } from '#contract/gallery.ts'
import { anInquiry, aProject } from '../factories.ts'
import { makerAccount } from './maker.ts'

const minutesAfter = (minutes: number) => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString()

/** Model 1 is the newest; the categories take turns. */
export function manyProjects(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    ...aProject({
      title: `Model ${index + 1}`,
      titleEs: `Modelo ${index + 1}`,
      descriptionEs: 'Un remolcador de vapor con sus defensas.',
      category: categories[index % categories.length] ?? 'ships',
      imageUrl: 'https://older-site.example/tug.jpg',
      scale: `1:${index + 1}`,
    }),
    id: randomUUID(),
    createdAt: minutesAfter(count - index),
  }))
}

/** Writer 1 is the newest. */
export function manyMessages(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    ...anInquiry({ name: `Writer ${index + 1}` }),
    id: randomUUID(),
    createdAt: minutesAfter(count - index),
  }))
}

/** Puts records into a site of the maker's own, in one call. */
export async function fill(request: APIRequestContext, url: string, data: { projects?: unknown[]; contacts?: unknown[] }) {
  await request.post(`${url}${signIn.path}`, { data: makerAccount })
  const answer = await request.post(`${url}${importData.path}`, { data })
  if (!answer.ok()) throw new Error(`Could not fill the site: ${await answer.text()}`)
}
