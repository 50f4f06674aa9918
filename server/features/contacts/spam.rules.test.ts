import { describe, expect, test } from 'vitest'
import { demoContacts } from '#demo/contacts.ts'
import { spamReasonOf } from './spam.rules.ts'

const judge = (details: Partial<Parameters<typeof spamReasonOf>[0]>) =>
  spamReasonOf({ name: 'Inés Robles', message: 'Could you build the tug my grandfather sailed on?', ...details })

describe('a message', () => {
  test.each([
    ['hidden_field', { website: 'https://spam.example' }],
    ['too_fast', { elapsed: 0 }],
    ['too_fast', { elapsed: 1_999 }],
    ['many_links', { message: 'https://a.example '.repeat(6) }],
    ['many_links', { message: 'http://a.example http://b.example www.c.example www.d.example HTTP://e.example www.f.example' }],
    ['known_pattern', { name: 'https://win.example' }],
    ['known_pattern', { message: 'See [url=http://a.example]this[/url]' }],
    ['known_pattern', { message: 'See <A HREF="http://a.example">this</a>' }],
    ['known_pattern', { message: 'We offer SEO services for your business.' }],
    ['known_pattern', { message: 'I can get you to the first page of Google within weeks.' }],
    ['known_pattern', { message: 'We help you rank higher on Google. Interested?' }],
    ['known_pattern', { message: 'Ofrecemos posicionamiento web para su empresa.' }],
    ['known_pattern', { message: 'Podemos hacer que su sitio sea el primero: aparecer en Google es fácil.' }],
    ['known_pattern', { message: 'Do you accept guest posts? I buy backlinks.' }],
    ['known_pattern', { message: 'Play at the best casino online and win!' }],
    ['known_pattern', { message: 'Los mejores casinos en línea y apuestas deportivas' }],
    ['known_pattern', { message: 'Invest in Bitcoin today' }],
    ['known_pattern', { message: 'Gane invirtiendo en CRIPTOMONEDAS sin riesgo' }],
    ['known_pattern', { message: 'Préstamos rápidos sin buró' }],
    ['known_pattern', { message: 'Our casino is at https://casino.example' }],
    ['known_pattern', { message: 'To unsubscribe click http://a.example' }],
  ] as const)('looks like spam (%s): %j', (reason, details) => {
    expect(judge(details)).toBe(reason)
  })

  test.each([
    {},
    { website: '' },
    { website: '  ' },
    { elapsed: 2_000 },
    {
      message:
        'The plans are at https://a.example/plans, photos at https://b.example and https://c.example, and two more: www.d.example www.e.example',
    },
    { message: 'The SS Rex had a casino on deck B. Could you show it?' },
    { message: 'I race slot cars and want the Ford GT40 as my son drove it, for his bookcase.' },
    { message: 'The locomotive is on loan from a museum; rail traffic ended in 1964. Do you rank it among the possible ones?' },
    { message: 'Encontré su página en Google. ¿Cuánto costaría un Douglas DC-3 en 1:48, con los colores de Mexicana?' },
    { message: 'The position of the guns is not clear to me, I only found drawings on Google.' },
    { message: 'Tal como suele aparecer en las fotos de Google.' },
    { message: 'The trains that appear when you search FCM on Google are the wrong colour.' },
    { message: 'I found you on Google. Is the position of the funnel right in https://a.example/plan.jpg?' },
    {
      message: 'Busco una inversión para mi sala: una maqueta de la fragata, con sus mejores ganancias de viento en las velas.',
    },
    { message: 'My e-mail is ines@www-studio.example, I run a web design office and would like the 2-8-0 for its lobby.' },
    { message: 'Could you build the Enigma machine, the one used for crypto in U-110?' },
  ])('of a person does not: %j', (details) => {
    expect(judge(details)).toBeNull()
  })

  test('of the demo does not either', () => {
    expect(demoContacts.map((contact) => spamReasonOf(contact))).toEqual(demoContacts.map(() => null))
  })
})
