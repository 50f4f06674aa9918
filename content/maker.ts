import type { Category } from '#contract/first-visit.ts'
import type { Accent } from '#contract/site-fields.ts'

/** Who the site belongs to. What the maker changes of it in the panel is kept in the database, and only that. */
export type Maker = {
  brand: string
  /** The person; left empty, the story is not signed. */
  name: string
  email: string
  /** The second one may be empty. */
  phones: [string, string]
  /** The number people may write to by WhatsApp. Left empty, it is not offered. */
  whatsapp: string
  /** For search engines; people read `cityName` in `content/<language>/site.ts`. */
  city: string
  region: string
  country: string
  /** For the times in mails to the maker. */
  timeZone: string
  /** Where the icons lead. Left empty, they lead nowhere. */
  links: Record<'instagram' | 'facebook' | 'youtube' | 'pinterest' | 'commissionInfo', string>
  figures: Record<'years' | 'models' | 'awards' | 'articles', string>
  /** Of the model in the first photo; left empty, the graphic scale beside it is not shown. */
  heroScale: string
  accent: Accent
  /** Whether commissions are taken; the date, as 2027-03-01, from when on. */
  commissions: { state: 'open' | 'from' | 'closed'; from: string }
  /** The newsletter, and the categories that the filter leaves out while they have no models: `yes` or empty. */
  hidden: Record<Category | 'newsletter', string>
}

/** `.example` can be registered by no one: such an address came with the site. */
export const isInvented = (email: string) => email.endsWith('.example')

export const maker: Maker = {
  brand: 'Vitrina',
  name: 'Aurelio Montes',
  email: 'taller@vitrina.example',
  phones: ['+52 442 555 0142', '+52 442 555 0187'],
  whatsapp: '+52 442 555 0142',
  city: 'Querétaro',
  region: 'Qro.',
  country: 'MX',
  timeZone: 'America/Mexico_City',
  links: { instagram: '', facebook: '', youtube: '', pinterest: '', commissionInfo: '' },
  figures: { years: '40+', models: '980+', awards: '350+', articles: '16' },
  heroScale: '1:32',
  accent: 'brass',
  commissions: { state: 'open', from: '' },
  hidden: { locomotive: '', aircraft: '', ships: '', automotive: '', military: '', figures: '', newsletter: '' },
}
