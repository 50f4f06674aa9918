import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createCache } from './api/cache.ts'
import { fillCache } from './api/projects.ts'
import { App } from './app.tsx'
import { layOutWhenIdle } from './fresh-visit.ts'
import { siteTexts } from './language/texts.ts'
import type { PageState } from './page.ts'
import { loadContactForm } from './site/later-contact-form.tsx'
import { loadProjectDialog } from './site/project-dialog-loader.ts'
import { loadStaticParts } from './site/static-part.tsx'

/** Not at the top level of the file: the dialog is in a file that waits for this one. */
async function takeOver() {
  const state = JSON.parse(document.getElementById('state')?.textContent ?? '{}') as PageState
  const root = document.getElementById('root')
  const cache = createCache()
  fillCache(cache, state)
  // Hydration needs what the server has rendered with.
  await Promise.all([siteTexts.load(state.language), (state.openProject || state.isGone) && loadProjectDialog()])
  const app = <App state={state} cache={cache} />
  // The panel is not rendered by the server: there is nothing to hydrate.
  const onRecoverableError = () => {
    loadStaticParts().catch(() => {})
    loadContactForm().catch(() => {})
  }
  if (root?.querySelector('main')) startTransition(() => void hydrateRoot(root, app, { onRecoverableError }))
  else if (root) createRoot(root).render(app)
  // web/keep-taps.ts repeats what was pressed before this.
  dispatchEvent(new Event('alive'))
  layOutWhenIdle()
}

void takeOver()
