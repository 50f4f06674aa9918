import { serverTexts } from '#content/server-texts.ts'
import type { Language } from '#contract/languages.ts'
import { accents } from '#contract/site-fields.ts'
import type { RenderedPage } from '#web/page.ts'

/** Puts a rendered page into the document the build made. */
export function documentOf(template: string, { language, head, body, state }: RenderedPage) {
  return template
    .replace(/<html lang="\w+">/, `<html lang="${language}"${accentOf(state)}>`)
    .replace('<!--head-->', () => head)
    .replace('<!--body-->', () => body)
    .replace('<!--state-->', () => `<script type="application/json" id="state">${inScript(state)}</script>`)
}

/** Says that nobody else sees this, where it is not the panel that shows it. Outside of what the page's script looks after. */
export function withPreviewMark(document: string, language: Language) {
  return document.replace('</body>', () => `<p style="${markStyle}">${serverTexts[language].previewMark}</p></body>`)
}

const markStyle = [
  'position:fixed;z-index:60;left:1rem;bottom:1rem;margin:0;padding:.375rem .75rem;pointer-events:none',
  'background:var(--color-ink);color:var(--color-bone);border:1px solid var(--color-ink-line);font:.8125rem var(--font-text)',
].join(';')

/** The site's own has no name. */
function accentOf({ own }: RenderedPage['state']) {
  const accent = accents.find((each) => each === own?.facts.accent)
  return accent && accent !== 'brass' ? ` data-accent="${accent}"` : ''
}

/** JSON that cannot end the script element it stands in. */
function inScript(value: unknown) {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
