import { stringify } from 'csv-stringify/sync'
import { mailTexts, serverTexts } from '#content/server-texts.ts'
import { projectTypeName } from '#contract/contacts.admin.ts'
import type { Language } from '#contract/languages.ts'
import type { Db } from '#server/database/tables.ts'
import { type ContactFilter, eachMatching, repliesTo } from './contacts.queries.ts'
import { photosSentWith } from './photos.queries.ts'

// Every cell in quotes: otherwise programs that guess the separator guess wrong where numbers have commas.
const format = { quoted: true, record_delimiter: 'windows', escape_formulas: true, cast: { string: withoutFormulas } } as const

/** The newest first. The byte order mark tells spreadsheets that it is UTF-8. */
export async function* tableOf(db: Db, filter: ContactFilter, language: Language) {
  const { columns, states } = serverTexts[language].contactTable
  yield stringify([Object.values(columns)], { ...format, bom: true })
  for await (const contacts of eachMatching(db, filter)) {
    if (contacts.length === 0) continue
    const ids = contacts.map(({ id }) => id)
    const [replies, photos] = await Promise.all([repliesTo(db, ids), photosSentWith(db, ids)])
    const rowOf = (contact: (typeof contacts)[number]): Record<keyof typeof columns, string | number> => ({
      receivedAt: asDate(contact.createdAt),
      state: states[contact.state],
      name: contact.name,
      email: contact.email,
      projectType: contact.projectType ? projectTypeName(mailTexts[language].projectTypes, contact.projectType) : '',
      about: contact.aboutTitle ?? '',
      message: asLines(contact.message),
      note: asLines(contact.note ?? ''),
      repliedAt: asDate(replies.get(contact.id)?.at(-1)?.createdAt ?? ''),
      photos: photos.get(contact.id)?.length ?? 0,
    })
    const names = Object.keys(columns) as (keyof typeof columns)[]
    yield stringify(
      contacts.map(rowOf).map((row) => names.map((name) => row[name])),
      format,
    )
  }
}

/** In the maker's language, with the date. */
export function fileNameOf(language: Language, now: Date) {
  return `${serverTexts[language].contactTable.file}-${now.toISOString().slice(0, 10)}.csv`
}

/** Read with semicolons or tabs between the cells, as Spanish and German spreadsheets do, a cell also begins behind those. */
function withoutFormulas(text: string) {
  return text.replace(/([;\t\r\n][\s"]*)(?=[-=+@＝＋－＠])/g, "$1'")
}

/** 2026-05-01 12:00:00 is a date to every spreadsheet, whatever the country. */
function asDate(moment: string) {
  return moment.slice(0, 19).replace('T', ' ')
}

/** One kind of line end: a spreadsheet shows the other as a stray character. */
function asLines(text: string) {
  return text.replace(/\r\n?/g, '\n')
}
