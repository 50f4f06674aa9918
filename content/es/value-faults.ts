import type { ValueFaults } from '../value-faults.ts'

export const valueFaults: ValueFaults = {
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
