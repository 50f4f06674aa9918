import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Route, Router, Switch } from 'wouter'
import { adminPath, signInPath } from '#contract/page-paths.ts'
import { LanguageProvider } from './language/language.tsx'
import { Notifications } from './notifications.tsx'
import { type PageState, unknownPath } from './page.ts'
import { Brand } from './site/brand.tsx'
import { Site } from './site/site.tsx'
import { loadStaticParts, staticPart } from './site/static-part.tsx'

const AdminApp = lazy(async () => ({ default: (await import('./admin/admin-app.tsx')).AdminApp }))

const loadNotFound = async () => (await import('./site/not-found.tsx')).NotFound
const notFound = staticPart(loadNotFound, import.meta.env.SSR ? await loadNotFound() : undefined)

type Props = { state: PageState; queryClient: QueryClient }

export function App({ state, queryClient }: Props) {
  return (
    <QueryClientProvider client={queryClient}>
      <LanguageProvider initial={state.language} isInAddress={state.languageAsked ?? false} onChange={loadStaticParts}>
        <Router ssrPath={state.path} ssrSearch={state.openProject ? `?project=${state.openProject.project.id}` : ''}>
          <Switch>
            {/* The server decides: in the browser `/ADMIN` and `/admin/` would match the panel. */}
            {state.path === unknownPath && <Route>{notFound}</Route>}
            <Route path="/">
              <Site category={state.category} featured={state.featured} arrived={state.openProject} />
            </Route>
            {[adminPath, signInPath].map((path) => (
              <Route key={path} path={path}>
                <Suspense fallback={<AdminArriving />}>
                  <AdminApp demoHint={state.demoHint ?? false} />
                </Suspense>
              </Route>
            ))}
            <Route>{notFound}</Route>
          </Switch>
        </Router>
        <Notifications />
      </LanguageProvider>
    </QueryClientProvider>
  )
}

/** The frame of the panel while its script is loading. */
function AdminArriving() {
  return (
    <div className="on-bone min-h-svh" aria-busy="true">
      <div className="on-ink border-b border-ink-line">
        <div className="mx-auto flex h-16 max-w-[82rem] items-center px-5 sm:px-8 lg:px-12">
          <Brand />
        </div>
      </div>
    </div>
  )
}
