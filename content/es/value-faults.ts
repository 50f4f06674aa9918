import type { ValueFaults } from '../value-faults.ts'

export const valueFaults: ValueFaults = {
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
