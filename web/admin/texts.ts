import type { AdminTexts } from '#content/en/admin.ts'
import type { PanelTexts } from '#content/en/panel.ts'
import type { StatisticsTexts } from '#content/en/statistics.ts'
import { maker } from '#content/maker.ts'
import { loadSiteDefaults } from '#content/site-defaults.ts'
import { type Language, languages } from '#contract/languages.ts'
import { CallError } from '../api/call.ts'
import { useTexts } from '../language/language.tsx'
import { readTexts, screenTexts } from '../language/site-texts.ts'

const panelTexts = screenTexts<PanelTexts>(async (language) => (await import(`../../content/${language}/panel.ts`)).panel)

/** All of the panel's, before it is first shown. */
export async function loadPanelTexts(language: Language) {
  const others = languages.flatMap((each) => [letterTexts.load(each), statisticsTexts.load(each)])
  await Promise.all([panelTexts.load(language), ...others, loadSiteDefaults()])
}

const textsOf =
  <Screen extends keyof PanelTexts>(screen: Screen) =>
  () =>
    useTexts(panelTexts)[screen]

export const useAdminTexts = textsOf('admin')
export const useActivityTexts = textsOf('activity')
export const useBackupTexts = textsOf('backups')
export const useCheckTexts = textsOf('checks')
export const useProblemTexts = textsOf('problems')
export const useSettingsTexts = textsOf('settings')
export const useUploadTexts = textsOf('upload')
export const useYourSiteTexts = textsOf('yourSite')
export const useStatisticsTexts = () => useTexts(statisticsTexts)

/** A letter is in the language of the one it is to, whatever the panel's is. */
const letterTexts = screenTexts<AdminTexts['contacts']['letter']>(
  async (language) => (await import(`../../content/${language}/contacts.ts`)).contacts.letter,
)

const statisticsTexts = screenTexts<StatisticsTexts>(
  async (language) => (await import(`../../content/${language}/statistics.ts`)).statistics,
)

/** Visitors read the notice in their language. */
export function privacyIn(language: Language) {
  return readTexts(statisticsTexts, language).privacy
}

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
