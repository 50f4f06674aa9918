/** Who the site belongs to. Change these, and the words in en.ts and es.ts, to make it yours. */
export const maker = {
  brand: 'Vitrina',
  email: 'taller@vitrina.example',
  phones: ['+52 442 555 0142', '+52 442 555 0187'],
  /** The number people may write to by WhatsApp. Left empty, it is not offered. */
  whatsapp: '+52 442 555 0142',
  /** For search engines; people read `cityName` in en.ts and es.ts. */
  city: 'Querétaro',
  region: 'Qro.',
  country: 'MX',
  /** For the times in mails to the maker. */
  timeZone: 'America/Mexico_City',
  /** Where the icons lead. Left empty, they lead nowhere. */
  links: { instagram: '', facebook: '', youtube: '', pinterest: '', commissionInfo: '' },
  figures: { years: '40+', models: '980+', awards: '350+', articles: '16' },
} as const
