import { renderToString } from 'react-dom/server'
import { serverTexts } from '#content/server-texts.ts'
import type { Language } from '#contract/languages.ts'
import { createCache } from './api/cache.ts'
import { fillCache } from './api/project-lists.ts'
import { App } from './app.tsx'
import { headOf } from './head.ts'
import { siteTexts } from './language/site-texts.ts'
import { isPanel, type PageInput, type RenderedPage } from './page.ts'
import { loadProjectDialog } from './site/model/project-dialog-loader.ts'

export { openingPage } from './opening.ts'

export async function renderPage({ base, ...state }: PageInput): Promise<RenderedPage> {
  const { language, path } = state
  await siteTexts.load(language)
  await loadProjectDialog()
  const cache = createCache()
  fillCache(cache, state)
  // The panel is rendered in the browser only: its data needs a session.
  const page = isPanel(path) ? <NeedsScript language={language} /> : <App state={state} cache={cache} />
  const body = renderToString(page)
  return { language, head: headOf({ base, ...state }), body, state }
}

function NeedsScript({ language }: { language: Language }) {
  return (
    <noscript>
      <p className="on-ink p-8">{serverTexts[language].needsScript}</p>
    </noscript>
  )
}
