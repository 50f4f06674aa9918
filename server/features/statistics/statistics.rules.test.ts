import { describe, expect, test } from 'vitest'
import { addTo, type Counted, dayAt, deviceOf, hashOf, hostOf, mayBeCounted, opensModel, pointsOf } from './statistics.rules.ts'

const chrome = '(KHTML, like Gecko) Chrome/126.0.0.0'

describe('the kind of device', () => {
  test.each([
    [
      'phone',
      `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1`,
    ],
    ['phone', `Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 ${chrome} Mobile Safari/537.36`],
    ['phone', `Mozilla/5.0 (Linux; Android 11; CUBOT X30) AppleWebKit/537.36 ${chrome} Mobile Safari/537.36`],
    ['phone', 'Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0'],
    ['phone', 'Opera/9.80 (J2ME/MIDP; Opera Mini/9.80/37; U; es) Presto/2.12.423 Version/12.16'],
    ['tablet', 'Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 Version/12.1 Mobile/15E148 Safari/604.1'],
    ['tablet', `Mozilla/5.0 (Linux; Android 13; SM-X200) AppleWebKit/537.36 ${chrome} Safari/537.36`],
    ['tablet', 'Mozilla/5.0 (Android 13; Tablet; rv:127.0) Gecko/127.0 Firefox/127.0'],
    ['desktop', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 ${chrome} Safari/537.36 Edg/126.0`],
    ['desktop', 'Mozilla/5.0 (Windows NT 6.1; Tablet PC 2.0; rv:11.0) like Gecko'],
    ['desktop', 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0'],
  ])('%s: %s', (device, agent) => expect(deviceOf(agent)).toBe(device))

  test.each([
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X) AppleWebKit/537.36 ${chrome} Mobile Safari/537.36 (compatible; bingbot/2.0)`,
    'Mozilla/5.0 (compatible; YandexImages/3.0; +http://yandex.com/bots)',
    'Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider)',
    'Mozilla/5.0 (compatible; Yahoo! Slurp)',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0 Safari/537.36',
    'facebookexternalhit/1.1',
    'WhatsApp/2.23.20.0',
    'TelegramBot (like TwitterBot)',
    'curl/8.5.0',
    'python-requests/2.31',
    '',
    '\0',
    `Mozilla/5.0 ${'x'.repeat(10_000)}`,
  ])('of no browser: %.60s', (agent) => expect(deviceOf(agent)).toBeUndefined())
})

test('a request is not counted where its sender asks for that, is signed in, or loads the page in advance', () => {
  expect(mayBeCounted({})).toBe(true)
  expect(mayBeCounted({ dnt: '0', cookie: 'language=es' })).toBe(true)
  const others = [
    { dnt: '1' },
    { 'sec-gpc': '1' },
    { cookie: 'language=en; __Host-session=abc' },
    { cookie: 'session=abc' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
    { 'x-purpose': 'preview' },
  ]
  for (const headers of others) expect(mayBeCounted(headers), JSON.stringify(headers)).toBe(false)
})

describe('the site that led here', () => {
  const own = ['www.taller.example:8443', undefined, 'models.example']
  test.each([
    ['https://www.instagram.com/p/abc?igsh=1', 'instagram.com'],
    ['http://l.facebook.com/l.php?u=x', 'facebook.com'],
    ['HTTPS://M.YouTube.com/', 'youtube.com'],
    ['https://user:secret@foro.example.com:8443/thread/7', 'foro.example.com'],
    ['https://m.co/x', 'm.co'],
    ['https://ñandú.example/', 'xn--and-6ma2c.example'],
  ])('%s', (referer, name) => expect(hostOf(referer, own)).toBe(name))

  test.each([
    undefined,
    '',
    'https://taller.example/?project=aurora',
    'http://models.example/',
    'https://models.example:9999/x',
    'android-app://com.google.android.gm/',
    'javascript:alert(1)',
    'instagram.com',
    'https://',
    'https://192.168.0.7/',
    'https://[::1]/',
    'http://localhost:5173/',
    'https://in\0stagram.com/',
    'https://%00.example.com/',
    `https://${'a'.repeat(64)}.example.com/`,
    `https://${'abcdefghi.'.repeat(12)}com/`,
    `https://example.com/${'x'.repeat(3_000)}`,
  ])('is none: %.60s', (referer) => expect(hostOf(referer, own)).toBeUndefined())
})

test('a call for a model opens it unless the page it comes from shows another one or none', () => {
  const own = ['taller.example']
  const opens = (referer?: string) => opensModel(referer, own, 'aurora')
  expect([opens(), opens('https://taller.example/?project=Aurora'), opens('https://other.example/')]).toEqual([
    true,
    true,
    true,
  ])
  expect(opens('nonsense')).toBe(true)
  expect([opens('https://taller.example/'), opens('https://www.taller.example/?project=tug')]).toEqual([false, false])
})

test('beyond the limit of a kind names are summed under an empty one, which takes no place itself', () => {
  const counted: Counted = new Map()
  addTo(counted, 'host', '', 0)
  for (let index = 0; index < 100_000; index += 1) addTo(counted, 'host', `site-${index}.example`)
  addTo(counted, 'host', 'site-7.example')
  const hosts = counted.get('host') ?? new Map()
  expect(hosts.size).toBe(31)
  expect(hosts.get('site-7.example')).toBe(2)
  expect(hosts.get('')).toBe(99_970)
})

test('twenty thousand visitors have as many hashes, and others with another salt', () => {
  const seen = new Set<string>()
  for (const salt of [[1, 2] as const, [2, 1] as const])
    for (let index = 0; index < 20_000; index += 1)
      seen.add(hashOf(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`, hashOf('Mozilla/5.0', salt)).join())
  expect(seen.size).toBe(40_000)
})

test.each([
  ['America/Mexico_City', '2026-05-02T05:59:59.999Z', '2026-05-01', 24],
  ['America/Mexico_City', '2026-05-02T06:00:00.000Z', '2026-05-02', 24],
  ['Europe/Madrid', '2026-03-29T10:00:00.000Z', '2026-03-29', 23],
  ['Europe/Madrid', '2026-10-25T22:59:59.999Z', '2026-10-25', 25],
  ['Europe/Madrid', '2026-10-25T23:00:00.000Z', '2026-10-26', 24],
  // There the clocks skip midnight.
  ['Africa/Cairo', '2026-04-24T12:00:00.000Z', '2026-04-24', 23],
  ['Nowhere/Town', '2026-05-01T23:59:59.999Z', '2026-05-01', 24],
])('in %s %s is a moment of %s, a day of %i hours', (timeZone, moment, name, hours) => {
  const day = dayAt(new Date(moment), timeZone)
  expect(day.name).toBe(name)
  expect((day.ends - day.begins) / 3_600_000).toBe(hours)
  expect(day.begins <= Date.parse(moment) && Date.parse(moment) < day.ends).toBe(true)
  expect(dayAt(new Date(day.begins), timeZone)).toEqual(day)
  expect(dayAt(new Date(day.ends - 1), timeZone)).toEqual(day)
})

test('a period is thirty days with the thirty before them, or twelve months of the calendar', () => {
  const days = pointsOf('days', '2028-03-01')
  expect(days).toHaveLength(30)
  expect(days[0]).toEqual({
    from: '2028-02-01',
    until: '2028-02-02',
    before: { from: '2028-01-02', until: '2028-01-03' },
  })
  expect(days.at(-1)).toMatchObject({ from: '2028-03-01', before: { from: '2028-01-31' } })
  const months = pointsOf('months', '2028-03-31')
  expect(months.map(({ from }) => from.slice(0, 7)).join()).toBe(
    '2027-04,2027-05,2027-06,2027-07,2027-08,2027-09,2027-10,2027-11,2027-12,2028-01,2028-02,2028-03',
  )
  expect(months.at(-1)).toEqual({ from: '2028-03-01', until: '2028-04-01', before: undefined })
})
