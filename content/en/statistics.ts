import type { Device, Period } from '#contract/statistics.ts'

const number = (count: number) => count.toLocaleString('en')
const small = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const inWords = (count: number) => small[count] ?? number(count)
const visits = (count: number) => (count === 1 ? '1 visit' : `${number(count)} visits`)
const times = (count: number) => (count === 1 ? 'once' : `${number(count)} times`)
const people = (count: number) => (count === 1 ? 'one person' : `${inWords(count)} people`)

export const statistics = {
  /** The last seven days. */
  week: (count: number, model?: { title: string; looks: number; messages: number }) => {
    const all = count === 0 ? 'No visits this week' : `${visits(count)} this week`
    if (!model) return `${all}.`
    const asked = model.messages > 0 ? `, ${people(model.messages)} asked for one like it` : ''
    return `${all}; ${model.title} was opened ${times(model.looks)}${asked}.`
  },
  noneYet: 'No visits have been counted yet.',
  isOff: 'Visits are not counted.',
  show: 'Show the figures',
  loading: 'Loading the figures…',
  failed: 'The figures could not be read',
  empty:
    'Nothing has been counted yet. From the first visit on you see here how many people come, which models they open and ask about, and which sites lead to yours.',
  period: 'Period',
  periods: { days: '30 days', months: '12 months' } satisfies Record<Period, string>,
  /** After the number. */
  total: {
    days: (count: number) => `${count === 1 ? 'visit' : 'visits'} in the last 30 days`,
    months: (count: number) => `${count === 1 ? 'visit' : 'visits'} in the last 12 months`,
  } satisfies Record<Period, (count: number) => string>,
  compared: (difference: number) =>
    difference === 0
      ? 'As many as in the 30 days before'
      : `${number(Math.abs(difference))} ${difference > 0 ? 'more' : 'fewer'} than in the 30 days before`,
  notCounted: 'not counted yet',
  visits,
  soFar: (count: number) => `${visits(count)} so far`,
  since: (day: string) => `Counted since ${day}`,
  earlier: (count: number) => `${number(count)} thirty days earlier`,
  legend: { now: 'These 30 days', before: 'The 30 days before' },
  choose: { days: 'Choose a day', months: 'Choose a month' } satisfies Record<Period, string>,
  table: {
    title: 'The numbers as a table',
    columns: { days: 'Day', months: 'Month' } satisfies Record<Period, string>,
    visits: 'Visits',
    before: '30 days earlier',
  },
  opened: { title: 'Opened most', none: 'No model has been opened yet.', count: times },
  asked: {
    title: 'Asked about most',
    none: 'No message was about a model yet.',
    count: (count: number) => (count === 1 ? '1 message' : `${number(count)} messages`),
  },
  hosts: { title: 'Where visitors came from', rest: 'Direct or not known' },
  languages: 'Languages',
  devices: {
    title: 'Devices',
    names: { phone: 'Phone', tablet: 'Tablet', desktop: 'Computer' } satisfies Record<Device, string>,
  },
  about: {
    title: 'What is counted',
    text: (days: number) =>
      `Only totals per day are stored, for ${days} days: visits, opened models, messages, languages, devices and the sites that lead here. A visitor counts once a day. Not counted: you while you are signed in, programs that say they are robots, pages loaded in advance, and browsers that ask not to be tracked (Do Not Track, Global Privacy Control).`,
    privacyTitle: 'For your privacy notice',
  },
  privacy:
    'This website counts its visits itself, without cookies and without third parties. It stores only totals per day: visits, opened models, messages, languages, kinds of device and the websites that lead here. So that each visitor is counted once a day, a code made from the address and the browser is kept in working memory until midnight, never stored, and cannot be traced back afterwards. Browsers that send “Do Not Track” or “Global Privacy Control” are not counted.',
  turnOff: {
    open: 'Stop counting',
    title: 'Stop counting visits?',
    text: 'All figures will be deleted, and nothing is counted until you turn it on again.',
    action: 'Stop and delete',
    busy: 'Deleting...',
    failed: 'Failed to stop counting',
    done: 'Visits are no longer counted, and the figures are deleted',
  },
  turnOn: {
    text: 'Visits are not counted, and there are no figures.',
    action: 'Count visits',
    busy: 'Turning on...',
    failed: 'Failed to turn counting on',
  },
}

export type StatisticsTexts = typeof statistics
