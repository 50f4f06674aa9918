import type { ValueFault } from './problems.ts'

/** An issue of zod, of any kind. */
export type Issue = {
  code: string
  path: readonly PropertyKey[]
  message: string
  expected?: string
  format?: string
  origin?: string
  minimum?: number | bigint
  maximum?: number | bigint
  keys?: readonly string[]
  values?: readonly unknown[]
  /** Set by rules of our own. */
  params?: { fault?: ValueFault['fault'] } | undefined
}

const byType: Readonly<Record<string, ValueFault['fault']>> = {
  string: 'missing',
  boolean: 'not_yes_or_no',
  number: 'not_a_number',
  int: 'not_a_number',
  array: 'not_a_list',
  object: 'not_a_record',
}

const byFormat: Readonly<Record<string, ValueFault['fault']>> = {
  email: 'not_an_email',
  uuid: 'not_an_id',
  datetime: 'not_a_moment',
}

const maxNames = 10

/** As one of a closed list of codes, for which every language has a sentence. */
export function valueFaultOf(issue: Issue): ValueFault {
  return { field: pathOf(issue), ...faultOf(issue) }
}

export function pathOf({ path }: Pick<Issue, 'path'>) {
  return path.join('.')
}

/** In English; the sentences of the rules themselves are in the contract. */
export function ruleOf({ keys, message }: Issue, whole: string) {
  return keys ? `Not a field of ${whole}: ${namesOf(keys).join(', ')}.` : message
}

function faultOf(issue: Issue): Omit<ValueFault, 'field'> {
  const { code, expected = '', format = '', origin, minimum, maximum, keys, values, params } = issue
  if (keys) return { fault: 'unknown_fields', names: namesOf(keys) }
  if (values) return { fault: 'not_a_choice', names: namesOf(values.filter((value) => value !== '')) }
  if (code === 'too_small' && origin === 'string') {
    return Number(minimum) > 1 ? { fault: 'too_short', limit: Number(minimum) } : { fault: 'missing' }
  }
  if (code === 'too_big' && origin === 'string') return { fault: 'too_long', limit: Number(maximum) }
  if (code === 'too_big' && origin === 'array') return { fault: 'too_many', limit: Number(maximum) }
  return { fault: params?.fault ?? byFormat[format] ?? byType[expected] ?? 'wrong' }
}

function namesOf(values: readonly unknown[]) {
  return values.slice(0, maxNames).map((value) => shownName(String(value)))
}

/** A name out of a file or a request, short and without what would control the terminal it may be printed on. */
export function shownName(name: string, most = 80) {
  return name.slice(0, most).replace(/[\p{Control}\p{Format}\p{Surrogate}]/gu, '\ufffd')
}
