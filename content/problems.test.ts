import { describe, expect, test } from 'vitest'
import { z } from 'zod/mini'
import { type ProblemCode, type ProblemReply, problemDetails, problems } from '#contract/problems.ts'
import { admin as adminEn } from './en/admin.ts'
import { backups as backupsEn } from './en/backups.ts'
import { problemTexts as problemsEn } from './en/problems.ts'
import { admin as adminEs } from './es/admin.ts'
import { backups as backupsEs } from './es/backups.ts'
import { problemTexts as problemsEs } from './es/problems.ts'
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

test('a photo is called by the beginning of its name', () => {
  const broken = { code: 'record_refused', details: { reason: 'photo', photo: '0123456789abcdef' } }
  expect(problemSentence(problemsEn, broken)).toContain('The photo 01234567… in it is not as this site stores photos.')
  expect(problemSentence(problemsEs, broken)).toContain('La foto 01234567… no es como las que guarda este sitio.')
})

const owners = { projects: [], senders: [], others: 0, site: false }
test.each([
  [owners, '', ''],
  [{ ...owners, projects: ['A', 'B'] }, '“A” and “B”', '«A» y «B»'],
  [
    { ...owners, projects: ['A'], site: true, others: 1 },
    '“A”, the site itself and one other',
    '«A», el propio sitio y otro más',
  ],
  [{ ...owners, senders: ['Ada', 'Eve'] }, 'the messages from “Ada” and “Eve”', 'los mensajes de «Ada» y «Eve»'],
])('the owners %j of photos are told in words', (of, english, spanish) => {
  expect(backupsEn.complete.missing(2, of)).toContain(english && `They belong to ${english}.`)
  expect(backupsEs.complete.missing(2, of)).toContain(spanish && `Dónde: ${spanish}.`)
})

test('the panel shows the server’s sentence in English, and says the same in Spanish', () => {
  const reply = { message: 'As the server said.', code: 'too_many_attempts', details: { seconds: 30 } }
  expect(adminEn.problem(reply)).toBe(reply.message)
  expect(adminEs.problem(reply)).toBe('Demasiados intentos fallidos. Inténtelo de nuevo en 30 segundos.')
})
