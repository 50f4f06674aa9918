import type { AdminTexts } from '#content/en/admin.ts'
import type { PanelTexts } from '#content/en/panel.ts'
import type { StatisticsTexts } from '#content/en/statistics.ts'
import { maker } from '#content/maker.ts'
import { dateFormat } from '#content/moments.ts'
import { loadSiteDefaults } from '#content/site-defaults.ts'
import { type Language, languages } from '#contract/languages.ts'
import { CallError } from '../api/call.ts'
import { useTexts } from '../language/language.tsx'
import { readTexts, screenTexts } from '../language/site-texts.ts'
import { openStore, useStore } from '../ui/store.ts'

const panelTexts = screenTexts<PanelTexts>(async (language) => (await import(`../../content/${language}/panel.ts`)).panel)

/** All of the panel's, before it is first shown. */
export async function loadPanelTexts(language: Language) {
  const others = languages.flatMap((each) => [letterTexts.load(each), statisticsTexts.load(each)])
  await Promise.all([panelTexts.load(language), ...others, loadSiteDefaults()])
}

export const useActivityTexts = () => useTexts(panelTexts).activity
export const useAdminTexts = () => useTexts(panelTexts).admin
export const useBackupTexts = () => useTexts(panelTexts).backups
export const useCheckTexts = () => useTexts(panelTexts).checks
export const useProblemTexts = () => useTexts(panelTexts).problems
export const useSettingsTexts = () => useTexts(panelTexts).settings
export const useStatisticsTexts = () => useTexts(statisticsTexts)
export const useUploadTexts = () => useTexts(panelTexts).upload
export const useYourSiteTexts = () => useTexts(panelTexts).yourSite

const statisticsTexts = screenTexts<StatisticsTexts>(
  async (language) => (await import(`../../content/${language}/statistics.ts`)).statistics,
)

/** Visitors read the notice in their language. */
export function privacyIn(language: Language) {
  return readTexts(statisticsTexts, language).privacy
}

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

const timeZone = openStore(maker.timeZone)

/** That of the workshop: dates in the panel are by its clock, wherever the reader is. */
export const useTimeZone = () => useStore(timeZone)
export const setTimeZone = timeZone.set

export function dateIn(t: AdminTexts, moment: string, style: 'day' | 'minute' = 'day') {
  const format: Intl.DateTimeFormatOptions = {
    timeZone: timeZone.get(),
    dateStyle: 'medium',
    ...(style === 'minute' && { timeStyle: 'short' }),
  }
  return dateFormat(t.locale, format).format(new Date(moment))
}

/** What the clock shows there now: `03:05`. */
export const clockIn = (zone: string) => new Date().toLocaleTimeString('en-GB', { timeZone: zone, timeStyle: 'short' })
