import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Route, Router, Switch } from 'wouter'
import { LanguageProvider } from './language/language.tsx'
import { Notifications } from './notifications.tsx'
import type { PageState } from './page.ts'
import { NotFound } from './site/not-found.tsx'
import { Site } from './site/site.tsx'

type Props = { state: PageState; queryClient: QueryClient; search?: string }

export function App({ state, queryClient, search = '' }: Props) {
  return (
    <QueryClientProvider client={queryClient}>
      <LanguageProvider initial={state.language}>
        <Router ssrPath={state.path} ssrSearch={search}>
          <Switch>
            <Route path="/" component={Site} />
            <Route component={NotFound} />
          </Switch>
        </Router>
        <Notifications />
      </LanguageProvider>
    </QueryClientProvider>
  )
}
