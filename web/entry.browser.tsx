import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { fillCache } from './api/projects.ts'
import { createQueryClient } from './api/query-client.ts'
import { App } from './app.tsx'
import { loadTexts } from './language/texts.ts'
import type { PageState } from './page.ts'
import { loadProjectDialog } from './site/project-dialog-loader.ts'
import { loadStaticParts } from './site/static-part.tsx'

const state = JSON.parse(document.getElementById('state')?.textContent ?? '{}') as PageState
const root = document.getElementById('root')
const queryClient = createQueryClient()
fillCache(queryClient, state)
// Hydration needs what the server has rendered with.
await Promise.all([loadTexts(state.language), state.openProject && loadProjectDialog()])
const app = <App state={state} queryClient={queryClient} />
// The panel is not rendered by the server: there is nothing to hydrate.
if (root?.querySelector('main')) startTransition(() => void hydrateRoot(root, app, { onRecoverableError: loadStaticParts }))
else if (root) createRoot(root).render(app)
// web/keep-taps.ts repeats what was pressed before this.
dispatchEvent(new Event('alive'))
