import type { RenderedPage } from '#web/page.ts'

/** Puts a rendered page into the document the build made. */
export function documentOf(template: string, { language, head, body, state }: RenderedPage) {
  return template
    .replace('<html lang="en">', `<html lang="${language}">`)
    .replace('<!--head-->', () => head)
    .replace('<!--body-->', () => body)
    .replace('<!--state-->', () => `<script type="application/json" id="state">${inScript(state)}</script>`)
}

/** JSON that cannot end the script element it stands in. */
function inScript(value: unknown) {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
