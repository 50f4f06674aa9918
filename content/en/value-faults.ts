import type { ValueFaults } from '../value-faults.ts'

export const valueFaults: ValueFaults = {
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
