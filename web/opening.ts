import { serverTexts } from '#content/server-texts.ts'
import { signInPath } from '#contract/first-visit.ts'
import { languages } from '#contract/languages.ts'
import type { Accent } from '#contract/site-fields.ts'
import displayFont from './fonts/fraunces.woff2?url'
import labelFont from './fonts/jetbrains-mono.woff2?url'
import { escapeHtml, meta } from './head.ts'
import icon from './icon.svg?url'
import type { OpeningInput } from './page.ts'

/** What visitors see of a site that is not open yet: a sheet with its name on it, without a script. */
export function openingPage({ base, language, brand, email, accent }: OpeningInput) {
  const { soon, adminAccess } = serverTexts[language].opening
  const name = escapeHtml(brand)
  const others = languages.filter((each) => each !== language)
  const head = [
    `<title>${name} · ${soon}</title>`,
    meta('name', 'robots', 'noindex'),
    meta('name', 'description', soon),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', brand),
    meta('property', 'og:title', brand),
    meta('property', 'og:description', soon),
    ...(base ? [meta('property', 'og:url', `${base}/`)] : []),
    `<link rel="icon" type="image/svg+xml" href="${icon}">`,
    ...[displayFont, labelFont].map((font) => `<link rel="preload" as="font" type="font/woff2" href="${font}" crossorigin>`),
  ]
  const address = email && escapeHtml(email)
  return `<!doctype html>
<html lang="${language}" style="--accent:${accentsOnInk[accent]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="theme-color" content="#14110f">
${head.join('\n')}
<style>${style}</style>
</head>
<body>
<main>
${mark}
<h1>${name}</h1>
<p class="soon"><span>${soon}</span></p>
${others.map((each) => `<p class="also" lang="${each}">${serverTexts[each].opening.soon}</p>`).join('\n')}
${address ? `<p class="mail"><a href="mailto:${address}">${address}</a></p>` : ''}
</main>
<a class="dot" href="${signInPath}" title="${adminAccess}" aria-label="${adminAccess}"></a>
</body>
</html>
`
}

/** `--color-brass-light` of web/theme.css for each accent; a test compares. */
export const accentsOnInk: Record<Accent, string> = {
  brass: '#d8b16a',
  verdigris: '#97c7b9',
  oxide: '#e3a385',
  steel: '#b0c3d3',
}

const mark =
  '<svg viewBox="0 0 32 32" fill="none" stroke="currentColor" stroke-width="1" aria-hidden="true"><path d="M5 25V11l11-6 11 6v14M5 11l11 6 11-6M16 17v8M2 25h28M4 28.5h24"/></svg>'

/** Squared paper with crop marks; the name is measured by a dimension line. */
const style = `
@font-face{font-family:Fraunces;src:url("${displayFont}") format("woff2");font-display:swap}
@font-face{font-family:"JetBrains Mono";src:url("${labelFont}") format("woff2");font-display:optional}
*{box-sizing:border-box;margin:0}
html{background:#14110f;color:#f4efe6;-webkit-text-size-adjust:100%}
body{position:relative;min-height:100vh;min-height:100svh;display:grid;place-items:center;padding:4rem 2.25rem;
background:linear-gradient(#4a41382e 1px,#0000 1px),linear-gradient(90deg,#4a41382e 1px,#0000 1px);
background-size:32px 32px;background-position:center;font:400 1rem/1.6 Inter,system-ui,sans-serif}
body::before,body::after{content:"";position:absolute;inset:1.25rem;pointer-events:none;
background:linear-gradient(var(--accent),var(--accent)) 0 0/18px 1px,linear-gradient(var(--accent),var(--accent)) 0 0/1px 18px,
linear-gradient(var(--accent),var(--accent)) 100% 100%/18px 1px,linear-gradient(var(--accent),var(--accent)) 100% 100%/1px 18px;
background-repeat:no-repeat}
body::after{transform:scaleX(-1)}
main{position:relative;z-index:1;max-width:100%;text-align:center}
svg{display:block;width:3rem;height:3rem;margin:0 auto 1.75rem;color:var(--accent)}
h1{font:400 clamp(2.5rem,11vw,6rem)/1.05 Fraunces,Georgia,serif;letter-spacing:-.02em;padding:0 .12em .35em;overflow-wrap:anywhere}
.soon,.also{font:400 .8125rem/1.125rem "JetBrains Mono",ui-monospace,monospace;letter-spacing:.06em;text-transform:uppercase}
.soon{display:flex;align-items:center;gap:1rem;color:var(--accent);border:solid #6b6054;border-width:0 1px;
margin-top:-1.25rem;padding:1.25rem 0 .5rem}
.soon::before,.soon::after{content:"";flex:1;min-width:2.5rem;height:9px;
background:url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='13' height='9'%3E%3Cpath d='M0 4.5 13 1v7z' fill='%236b6054'/%3E%3C/svg%3E") 0 0 no-repeat,
linear-gradient(#6b6054,#6b6054) 0 4px/100% 1px no-repeat}
.soon::after{transform:scaleX(-1)}
.also{margin-top:.5rem;color:#b9ae9f}
.mail{margin-top:3rem;overflow-wrap:anywhere}
.mail a{display:inline-block;padding:.6rem 0;color:inherit;text-decoration:underline var(--accent) 1px;text-underline-offset:.4em}
.mail a:hover{color:var(--accent)}
a:focus-visible{outline:2px solid var(--accent);outline-offset:4px}
.dot{position:absolute;z-index:1;right:1.5rem;bottom:1.5rem;width:44px;height:44px;display:grid;place-items:center}
.dot::before{content:"";width:6px;height:6px;border-radius:50%;background:#6b6054}
.dot:hover::before{background:var(--accent)}
@media print{body{background:none}}`
