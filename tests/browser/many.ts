import { randomUUID } from 'node:crypto'
import { categories } from '#contract/first-visit.ts'
import { aContact, aProject } from '../factories.ts'

const minutesAfter = (minutes: number) => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString()

/** Model 1 is the newest; the categories take turns. */
export function manyProjects(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    ...aProject({
      title: `Model ${index + 1}`,
      translations: {
        es: { title: `Modelo ${index + 1}`, description: 'Un remolcador de vapor con sus defensas.' },
      },
      category: categories[index % categories.length] ?? 'ships',
      imageUrl: 'https://older-site.example/tug.jpg',
      scale: `1:${index + 1}`,
      timeSpent: '40',
      materials: 'Brass',
      techniques: 'Soldering',
    }),
    id: randomUUID(),
    createdAt: minutesAfter(count - index),
  }))
}

/** Writer 1 is the newest. */
export function manyContacts(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    ...aContact({ name: `Writer ${index + 1}` }),
    id: randomUUID(),
    createdAt: minutesAfter(count - index),
  }))
}
