import type { ValueFaults } from '../value-faults.ts'

export const valueFaults: ValueFaults = {
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
