import { describe, expect, test } from 'vitest'
import { z } from 'zod/mini'
import { type ProblemCode, type ProblemReply, problemDetails, problems } from '#contract/problems.ts'
import { admin as adminEn } from './en/admin.ts'
import { problemTexts as problemsEn, titles as titlesEn } from './en/problems.ts'
import { admin as adminEs } from './es/admin.ts'
import { problemTexts as problemsEs, titles as titlesEs } from './es/problems.ts'
import { problemSentence } from './problem-sentence.ts'

type Json = z.core.JSONSchema.JSONSchema
type Sample = Record<string, unknown>

const languages = { en: problemsEn, es: problemsEs }
const codes = Object.keys(problems) as ProblemCode[]

/** Words for programs, which stand for a sentence and not for a thing in it. */
const wordsForPrograms = ['reason', 'fault', 'because', 'site', 'step', 'why']

/** Every combination of the words for programs, each with one value for everything else. */
function samplesOf(schema: Json): Sample[] {
  if (schema.anyOf) return schema.anyOf.flatMap((option) => samplesOf(option as Json))
  let samples: Sample[] = [{}]
  for (const [index, [key, property]] of Object.entries(schema.properties ?? {}).entries()) {
    const values = valuesOf(key, property as Json, index)
    samples = samples.flatMap((sample) => values.map((value) => ({ ...sample, [key]: value })))
  }
  return samples.map(withoutIdle)
}

function valuesOf(key: string, schema: Json, index: number): unknown[] {
  if (schema.enum) return schema.enum
  if (schema.const !== undefined) return [schema.const]
  if (schema.anyOf) return samplesOf(schema)
  if (schema.type === 'integer') return [71 + index]
  if (schema.type !== 'array') return [`A ${key}`]
  const items = schema.items as Json
  return items.properties ? samplesOf(items).map((item) => [item]) : [[`A ${key}`, `B ${key}`]]
}

/** Limits and names come with some faults only. */
function withoutIdle({ limit, names, ...sample }: Sample): Sample {
  const { fault = '' } = sample as { fault?: string }
  return {
    ...sample,
    ...(fault.startsWith('too_') && { limit }),
    ...(['not_a_choice', 'unknown_fields'].includes(fault) && { names }),
  }
}

/** The things a sentence has to name. A photo is known by the projects that show it. */
function thingsIn({ photo: _hash, ...sample }: Sample): string[] {
  return Object.entries(sample).flatMap(([key, value]) =>
    [value].flat().flatMap((each) => {
      if (typeof each === 'object' && each !== null) return thingsIn(each as Sample)
      return wordsForPrograms.includes(key) ? [] : [String(each)]
    }),
  )
}

/** Told by the sentence of their code; the details are for the log. */
const fileFaults = ['not_a_backup', 'file_damaged', 'file_too_large']

const told = Object.entries(problemDetails).filter(([code]) => !fileFaults.includes(code))
const detailed = told.flatMap(([code, schema]) =>
  samplesOf(z.toJSONSchema(schema)).map((details) => ({ code, details: details as ProblemReply['details'] })),
)

describe.each(['en', 'es'] as const)('in %s', (language) => {
  const texts = languages[language]

  test.each(codes)('%s is told in a whole sentence', (code) => {
    expect(problemSentence(texts, { code })).toMatch(/^(\p{Lu}|pg_dump).{8,}[.>\p{L}]$/u)
  })

  test.each(detailed)('$code $details is told with everything it names', ({ code, details }) => {
    const sentence = problemSentence(texts, { code, details })
    expect(sentence).not.toBe(problemSentence(texts, { code }))
    expect(sentence).not.toMatch(/undefined|\[object|NaN/)
    for (const thing of thingsIn(details as Sample)) expect(sentence).toContain(thing)
  })

  test('a code or a reason of a newer release breaks nothing', () => {
    expect(problemSentence(texts, { code: 'moon_eclipsed' })).toBeUndefined()
    expect(problemSentence(texts, { code: 'toString' })).toBeUndefined()
    const details = { reason: 'eaten_by_moths' } as unknown as NonNullable<ProblemReply['details']>
    expect(problemSentence(texts, { code: 'record_refused', details })).toMatch(/(changed|cambió nada)\./)
  })
})

test('there are samples of every code that has details, and of many reasons', () => {
  expect([...new Set(detailed.map(({ code }) => code))]).toEqual(told.map(([code]) => code))
  expect(detailed.length).toBeGreaterThan(60)
})

test('of several fields each is told by itself', () => {
  const faults = [
    { field: 'username', fault: 'too_short', limit: 3 },
    { field: 'password', fault: 'too_short', limit: 6 },
  ] as const
  const reply = { code: 'invalid_input', details: { reason: 'fields', faults: [...faults] } } as const
  expect(problemSentence(problemsEs, reply)).toBe('Nombre de usuario: use al menos 3 caracteres.')
  expect(problemSentence(problemsEs, { ...reply, fields: { password: '' } })).toBe('Contraseña: use al menos 6 caracteres.')
})

const aRecord = {
  reason: 'record',
  list: 'projects',
  number: 1,
  title: 'Galleon',
  field: 'description',
  fault: 'missing',
} as const

test('a record is called by its number and its name, and never by a path', () => {
  const refused = { code: 'record_refused', details: aRecord }
  expect(problemSentence(problemsEn, refused)).toBe(
    'That file cannot be restored or imported. Project 1 (“Galleon”), description: this is missing, empty or not text. Nothing was changed.',
  )
  expect(problemSentence(problemsEs, refused)).toBe(
    'Ese archivo no se puede restaurar ni importar. Proyecto 1 («Galleon»), descripción: esto falta, está vacío o no es un texto. No se cambió nada.',
  )
})

test('a photo is called by its model, and by the beginning of its name where no model shows it', () => {
  const broken = { reason: 'photo', photo: '0123456789abcdef', because: 'image_broken', others: 0 } as const
  const shown = { code: 'record_refused', details: { ...broken, projects: ['Galleon'], senders: ['Ada'] } }
  expect(problemSentence(problemsEn, shown)).toContain('A photo of “Galleon” and the message from “Ada” is damaged.')
  expect(problemSentence(problemsEs, shown)).toContain('Una foto de «Galleon» y el mensaje de «Ada» está dañada.')
  const unseen = { code: 'record_refused', details: { ...broken, projects: [], senders: [] } }
  for (const texts of Object.values(languages)) expect(problemSentence(texts, unseen)).toContain('(01234567…)')
})

test('damaged photos are counted, with all whose they are', () => {
  const details = { photos: 3, projects: ['Galleon', 'Tug'], others: 0, senders: ['Ada', 'Grace'] }
  const damaged = { code: 'stored_image_damaged', details }
  expect(problemSentence(problemsEn, damaged)).toMatch(
    /^3 stored photos of “Galleon” and “Tug” and the messages from “Ada” and “Grace” are damaged, .+ delete those messages\./,
  )
  expect(problemSentence(problemsEs, damaged)).toMatch(
    /^3 fotos guardadas de «Galleon» y «Tug» y los mensajes de «Ada» y «Grace»/,
  )
  const one = { code: 'stored_image_damaged', details: { photos: 1, projects: ['Tug'], others: 0, senders: [] } }
  expect(problemSentence(problemsEn, one)).toMatch(
    /^A stored photo of “Tug” is damaged, .+ Upload that photo again\. Export Data/,
  )
})

test.each([
  [{ projects: ['A'], others: 0 }, '“A”', '«A»'],
  [{ projects: ['A', 'B'], others: 0 }, '“A” and “B”', '«A» y «B»'],
  [{ projects: ['A', 'B', 'C'], others: 1 }, '“A”, “B”, “C” and one other', '«A», «B», «C» y otro más'],
  [{ projects: [], others: 0, site: true }, 'the site itself', 'el propio sitio'],
  [{ projects: ['A'], others: 1, site: true }, '“A”, one other and the site itself', '«A», otro más y el propio sitio'],
  [{ projects: ['A', 'B', 'C'], others: 4 }, '“A”, “B”, “C” and 4 others', '«A», «B», «C» y otros 4'],
])('the titles %j are told in words', (named, english, spanish) => {
  expect([titlesEn(named), titlesEs(named)]).toEqual([english, spanish])
})

test('the panel shows the server’s sentence in English, and says the same in Spanish', () => {
  const reply = { message: 'As the server said.', code: 'too_many_attempts', details: { seconds: 30 } }
  expect(adminEn.problem(reply)).toBe(reply.message)
  expect(adminEs.problem(reply)).toBe('Demasiados intentos fallidos. Inténtelo de nuevo en 30 segundos.')
})
