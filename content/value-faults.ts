import type { ValueFault } from '#contract/problems.ts'

/** A sentence for everything that can be wrong with a value. It may follow a label, so it begins with a small letter. */
export type ValueFaults = Record<ValueFault['fault'], (fault: { limit: number; names: string }) => string>

export const faultsEn: ValueFaults = {
  missing: () => 'this is missing, empty or not a text.',
  too_short: ({ limit }) => `at least ${limit.toLocaleString('en')} characters are needed here.`,
  too_long: ({ limit }) => `there are more than ${limit.toLocaleString('en')} characters here.`,
  too_many: ({ limit }) => `there are more than ${limit.toLocaleString('en')} here.`,
  unseen_characters: () => 'there are invisible characters here.',
  not_a_choice: ({ names }) => `one of these is needed here: ${names}.`,
  not_yes_or_no: () => 'yes or no is needed here (true or false).',
  not_a_number: () => 'a whole number is needed here.',
  not_an_email: () => 'this is not an e-mail address.',
  not_a_phone: () => 'this is not a telephone number.',
  not_a_link: () => 'a link must begin with https://, mailto: or tel:.',
  not_a_photo: () => 'a photo must be one uploaded here or an https:// address.',
  not_uploaded: () => 'this photo is not stored here. Please upload it.',
  not_an_id: () => 'this is not an id.',
  not_a_moment: () => 'this is not a date like 2026-11-15T08:00:00Z.',
  not_a_day: () => 'this is not a day like 2027-03-01.',
  not_a_list: () => 'this is not a list.',
  not_a_record: () => 'this is not a record.',
  unknown_fields: ({ names }) => `these fields are not known: ${names}.`,
  wrong: () => 'this is not right.',
}

export const faultsEs: ValueFaults = {
  missing: () => 'esto falta, está vacío o no es un texto.',
  too_short: ({ limit }) => `aquí hacen falta al menos ${limit.toLocaleString('es-MX')} caracteres.`,
  too_long: ({ limit }) => `aquí hay más de ${limit.toLocaleString('es-MX')} caracteres.`,
  too_many: ({ limit }) => `aquí hay más de ${limit.toLocaleString('es-MX')}.`,
  unseen_characters: () => 'aquí hay caracteres invisibles.',
  not_a_choice: ({ names }) => `aquí hace falta uno de estos valores: ${names}.`,
  not_yes_or_no: () => 'aquí hace falta sí o no (true o false).',
  not_a_number: () => 'aquí hace falta un número entero.',
  not_an_email: () => 'esto no es una dirección de correo.',
  not_a_phone: () => 'esto no es un número de teléfono.',
  not_a_link: () => 'un enlace debe empezar con https://, mailto: o tel:.',
  not_a_photo: () => 'una foto debe ser una que se subió aquí o una dirección https://.',
  not_uploaded: () => 'esta foto no está guardada aquí. Por favor súbala.',
  not_an_id: () => 'esto no es un identificador.',
  not_a_moment: () => 'esto no es una fecha como 2026-11-15T08:00:00Z.',
  not_a_day: () => 'esto no es un día como 2027-03-01.',
  not_a_list: () => 'esto no es una lista.',
  not_a_record: () => 'esto no es un registro.',
  unknown_fields: ({ names }) => `estos campos no se conocen: ${names}.`,
  wrong: () => 'esto no es correcto.',
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
