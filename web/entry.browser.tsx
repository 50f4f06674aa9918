import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createCache } from './api/cache.ts'
import { fillCache } from './api/project-lists.ts'
import { App } from './app.tsx'
import { layOutWhenUsed } from './fresh-visit.ts'
import { siteTexts } from './language/site-texts.ts'
import type { PageState } from './page.ts'
import { loadContactForm } from './site/contact/lazy-contact-form.tsx'
import { loadProjectDialog } from './site/model/project-dialog-loader.ts'
import { followLeads } from './site/page/navigate.ts'
import { loadStaticParts } from './site/page/static-part.tsx'

/** No top-level await: the dialog's chunk imports this one, which would be a deadlock. */
async function takeOver() {
  const state = JSON.parse(document.getElementById('state')?.textContent ?? '{}') as PageState
  const root = document.getElementById('root')
  const cache = createCache()
  fillCache(cache, state)
  // Hydration must render the same as the server.
  await Promise.all([siteTexts.load(state.language), (state.openProject || state.isGone) && loadProjectDialog()])
  const app = <App state={state} cache={cache} />
  // The panel is not rendered by the server: there is nothing to hydrate.
  const onRecoverableError = () => {
    loadStaticParts().catch(() => {})
    loadContactForm().catch(() => {})
  }
  if (root?.querySelector('main')) startTransition(() => void hydrateRoot(root, app, { onRecoverableError }))
  else if (root) createRoot(root).render(app)
  followLeads()
  // web/early-script.ts repeats an earlier tap now.
  dispatchEvent(new Event('alive'))
  layOutWhenUsed()
}

void takeOver()
