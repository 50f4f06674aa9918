import type { SpamReason } from '#contract/contacts.admin.ts'
import type { ContactDraft } from '#contract/contacts.ts'
import { withoutAccents } from '#server/database/slices.ts'

type Judged = Pick<ContactDraft, 'name' | 'message' | 'website' | 'elapsed'>

/** In milliseconds: people need longer to fill in the form. */
const fastest = 2_000

/** A person may send a plan, a museum, a forum and two photos of the original; more links are spam. */
const mostLinks = 5

/** Why a message looks like spam; null if it does not. It is kept, and one click makes it a message. */
export function spamReasonOf({ name, message, website, elapsed }: Judged): SpamReason | null {
  if (website?.trim()) return 'hidden_field'
  if (elapsed !== undefined && elapsed < fastest) return 'too_fast'
  const links = message.match(link)?.length ?? 0
  if (links > mostLinks) return 'many_links'
  const text = withoutAccents(message)
  const isOffer = certain.some((pattern) => pattern.test(text)) || (links > 0 && topics.test(text))
  return isOffer || isAddress.test(name) ? 'known_pattern' : null
}

const link = /https?:\/\/|(?<![\w/.@])www\./gi
const isAddress = /https?:\/\/|\bwww\.|\[url/i

/** Never part of a request for a model. Compared without accents and capitals. */
const certain: readonly RegExp[] = [
  // Markup for links, which the form does not have.
  /\[\/?(url|link)\b/,
  /<a\s[^>]*href/,
  /\bseo (service|expert|agency|package|audit|compan|specialist)|\bservicios? (de )?seo\b|\bagencia (de )?seo\b/,
  /\b(rank|appear)(ing)? (higher|better|first) (on|in) google\b/,
  /\b(rank|appear|position|aparec|posicion)\w*\b.{0,30}\b(your|sus?|tus?) (web ?site|site|web|page|business|company|pagina|sitio|negocio|empresa)\b.{0,60}\bgoogle\b/,
  /\b(your|sus?|tus?) (web ?site|site|web|page|business|company|pagina|sitio|negocio|empresa)\b.{0,30}\b(rank|appear|position|aparec|posicion)\w*\b.{0,60}\bgoogle\b/,
  /\b(first|top|front) page of google\b|\bprimer(a pagina|os lugares|os resultados) (de|en) google\b/,
  /\bposicionamiento (web|seo|organico|en buscadores)\b/,
  /\b(backlinks?|guest posts?|link building|domain authority)\b/,
  /\b(website|web) traffic\b|\btrafico (web|a su sitio|a tu sitio|organico)\b/,
  /\bredesign (of )?your (web ?site|site)\b|\brediseno de (su|tu) (pagina|sitio)\b/,
  /\b(online|en linea|bonus|bono|bonos|mejores|best) casinos?\b|\bcasinos? (online|en linea|bonus)\b/,
  /\b(sports betting|apuestas deportivas|tragamonedas|tragaperras)\b/,
  /\b(viagra|cialis|levitra)\b/,
  /\b(invest\w*|inv(ert|irt|ier)\w*|inversion\w*|trading|profits?|ganancias)\b.{0,40}\b(bitcoins?|crypto\w*|cripto\w*|forex)\b/,
  /\b(bitcoins?|crypto\w*|cripto\w*|forex)\b.{0,40}\b(invest\w*|inv(ert|irt|ier)\w*|inversion\w*|trading|profits?|ganancias)\b/,
  /\b(business|personal) loans?\b|\bprestamos? (personal|rapido|urgente|sin buro|empresarial)/,
  /\b(buy|comprar|compra) (instagram |tiktok |facebook )?(followers|seguidores)\b/,
]

/** Only with a link: a ship may have had a casino. */
const topics =
  /\b(casinos?|seo|bitcoins?|crypto(currency|currencies)?|criptomonedas?|forex|escorts?|porn\w*|payday|unsubscribe)\b/
