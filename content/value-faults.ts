import type { ValueFault } from '#contract/problems.ts'

/** A sentence for everything that can be wrong with a value. It may follow a label, so it begins with a small letter. */
export type ValueFaults = Record<ValueFault['fault'], (fault: { limit: number; names: string }) => string>

export const faultsEn: ValueFaults = {
  missing: () => 'this is missing, empty or not text.',
  too_short: ({ limit }) => `use at least ${limit.toLocaleString('en')} characters.`,
  too_long: ({ limit }) => `use at most ${limit.toLocaleString('en')} characters.`,
  too_many: ({ limit }) => `at most ${limit.toLocaleString('en')} are allowed.`,
  unseen_characters: () => 'this contains invisible characters.',
  not_a_choice: ({ names }) => `use one of these: ${names}.`,
  not_yes_or_no: () => 'this must be true or false.',
  not_a_number: () => 'this must be a whole number.',
  not_an_email: () => 'this is not an email address.',
  not_a_phone: () => 'this is not a phone number.',
  not_a_link: () => 'a link must begin with https://, mailto: or tel:.',
  not_a_photo: () => 'use a photo uploaded here or an https:// address.',
  not_uploaded: () => 'this photo is not stored here. Please upload it.',
  not_an_id: () => 'this is not an id.',
  not_a_moment: () => 'this is not a date like 2026-11-15T08:00:00Z.',
  not_a_day: () => 'this is not a day like 2027-03-01.',
  not_a_list: () => 'this is not a list.',
  not_a_record: () => 'this is not a record.',
  unknown_fields: ({ names }) => `unknown fields: ${names}.`,
  wrong: () => 'this is not valid.',
}

export const faultsEs: ValueFaults = {
  missing: () => 'esto falta, está vacío o no es un texto.',
  too_short: ({ limit }) => `use al menos ${limit.toLocaleString('es-MX')} caracteres.`,
  too_long: ({ limit }) => `use como máximo ${limit.toLocaleString('es-MX')} caracteres.`,
  too_many: ({ limit }) => `se permiten como máximo ${limit.toLocaleString('es-MX')}.`,
  unseen_characters: () => 'contiene caracteres invisibles.',
  not_a_choice: ({ names }) => `use uno de estos valores: ${names}.`,
  not_yes_or_no: () => 'debe ser sí o no (true o false).',
  not_a_number: () => 'debe ser un número entero.',
  not_an_email: () => 'esto no es una dirección de correo.',
  not_a_phone: () => 'esto no es un número de teléfono.',
  not_a_link: () => 'un enlace debe empezar con https://, mailto: o tel:.',
  not_a_photo: () => 'use una foto subida aquí o una dirección https://.',
  not_uploaded: () => 'esta foto no está guardada aquí. Por favor súbala.',
  not_an_id: () => 'esto no es un identificador.',
  not_a_moment: () => 'esto no es una fecha como 2026-11-15T08:00:00Z.',
  not_a_day: () => 'esto no es un día como 2027-03-01.',
  not_a_list: () => 'esto no es una lista.',
  not_a_record: () => 'esto no es un registro.',
  unknown_fields: ({ names }) => `campos desconocidos: ${names}.`,
  wrong: () => 'esto no es válido.',
}

/** A fault of a newer release has no sentence of its own here. */
export function faultSentence(faults: ValueFaults, { fault, limit = 0, names = [] }: Omit<ValueFault, 'field'>) {
  return (faults[fault] ?? faults.wrong)({ limit, names: names.join(', ') })
}

/** `Title: this is missing.` */
export function withLabel(label: string, sentence: string) {
  const text = label ? `${label}: ${sentence}` : sentence
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
