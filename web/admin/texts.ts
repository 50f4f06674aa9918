import type { AdminTexts } from '#content/en/admin.ts'
import type { BackupTexts } from '#content/en/backups.ts'
import type { CheckTexts } from '#content/en/checks.ts'
import type { SettingsTexts } from '#content/en/settings.ts'
import type { UploadTexts } from '#content/en/upload.ts'
import type { YourSiteTexts } from '#content/en/your-site.ts'
import { maker } from '#content/maker.ts'
import type { ProblemTexts } from '#content/problem-sentence.ts'
import { loadSiteDefaults } from '#content/site-defaults.ts'
import { type Language, languages } from '#contract/languages.ts'
import { CallError } from '../api/call.ts'
import { useTexts } from '../language/language.tsx'
import { readTexts, screenTexts } from '../language/site-texts.ts'

const adminTexts = screenTexts<AdminTexts>(async (language) => (await import(`../../content/${language}/admin.ts`)).admin)
const backupTexts = screenTexts<BackupTexts>(async (language) => (await import(`../../content/${language}/backups.ts`)).backups)
const checkTexts = screenTexts<CheckTexts>(async (language) => (await import(`../../content/${language}/checks.ts`)).checks)
const uploadTexts = screenTexts<UploadTexts>(async (language) => (await import(`../../content/${language}/upload.ts`)).upload)
const yourSiteTexts = screenTexts<YourSiteTexts>(
  async (language) => (await import(`../../content/${language}/your-site.ts`)).yourSite,
)
const settingsTexts = screenTexts<SettingsTexts>(
  async (language) => (await import(`../../content/${language}/settings.ts`)).settings,
)
const problemTexts = screenTexts<ProblemTexts>(
  async (language) => (await import(`../../content/${language}/problems.ts`)).problemTexts,
)

/** All of the panel's, before it is first shown. */
export async function loadPanelTexts(language: Language) {
  await Promise.all([
    ...[adminTexts, backupTexts, checkTexts, uploadTexts, yourSiteTexts, settingsTexts, problemTexts].map(({ load }) =>
      load(language),
    ),
    ...languages.map(letterTexts.load),
    loadSiteDefaults(),
  ])
}

export const useAdminTexts = () => useTexts(adminTexts)
export const useBackupTexts = () => useTexts(backupTexts)
export const useCheckTexts = () => useTexts(checkTexts)
export const useUploadTexts = () => useTexts(uploadTexts)
export const useYourSiteTexts = () => useTexts(yourSiteTexts)
export const useSettingsTexts = () => useTexts(settingsTexts)
export const useProblemTexts = () => useTexts(problemTexts)

/** A letter is in the language of the one it is to, whatever the panel's is. */
const letterTexts = screenTexts<AdminTexts['contacts']['letter']>(
  async (language) => (await import(`../../content/${language}/contacts.ts`)).contacts.letter,
)

/** The beginnings of letters. */
export function letterIn(language: Language, brand: string) {
  return readTexts(letterTexts, language)(brand)
}

/** What the browser or the device has against a passkey. */
export class PasskeyFault extends Error {
  constructor(readonly fault: keyof AdminTexts['accounts']['passkeys']['faults']) {
    super(fault)
  }
}

/** What the server said, else the given sentence. */
export function sentenceOf(error: unknown, fallback: string, t: AdminTexts) {
  if (error instanceof PasskeyFault) return t.accounts.passkeys.faults[error.fault]
  const said = error instanceof CallError && error.problem ? t.problem(error.problem) : undefined
  return said ?? fallback
}

let timeZone = maker.timeZone

/** That of the workshop. Once, before the panel is shown: it is loaded again when it changes. */
export function setPanelTimeZone(zone: string) {
  timeZone = zone
}

/** By the workshop's clock, as everywhere in the panel, wherever the reader is. */
export function dateIn(t: AdminTexts, moment: string, style: 'day' | 'minute' = 'day') {
  const format: Intl.DateTimeFormatOptions = {
    timeZone,
    dateStyle: 'medium',
    ...(style === 'minute' && { timeStyle: 'short' }),
  }
  return new Intl.DateTimeFormat(t.locale, format).format(new Date(moment))
}
