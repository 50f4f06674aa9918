import './admin.css'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Route, Switch } from 'wouter'
import { adminPath } from '#contract/first-visit.ts'
import type { PageState } from '../page.ts'
import { TooltipProvider } from '../ui/icon-button.tsx'
import { loadToaster } from '../ui/toast-store.ts'
import { useLayerHistory } from '../ui/use-layer.ts'
import { PasswordQuestion } from './confirmation/password-question.tsx'
import { Dashboard } from './dashboard/dashboard.tsx'
import { leaveWhenSignedOut } from './session.ts'
import { SignIn } from './sign-in.tsx'
import { loadPanelTexts } from './texts.ts'

/** Before it is first shown. */
export { loadPanelTexts }

const queryClient = createQueryClient()

/** The panel is a chunk of its own, which visitors do not load. */
export function AdminApp({ state }: { state: PageState }) {
  useEffect(() => void loadToaster().catch(() => {}), [])
  useLayerHistory()
  return (
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <Switch>
          <Route path={adminPath} component={Dashboard} />
          <Route>
            <SignIn {...state} />
          </Route>
        </Switch>
        <PasswordQuestion />
      </TooltipProvider>
    </QueryClientProvider>
  )
}

/** Nothing is fetched twice unless it was invalidated: no retries, no polling, no refetching on focus. */
function createQueryClient() {
  return new QueryClient({
    queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
    mutationCache: new MutationCache({ onError: leaveWhenSignedOut }),
    defaultOptions: {
      queries: {
        // Otherwise a call made offline waits for the connection instead of failing.
        networkMode: 'always',
        retry: false,
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchInterval: false,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}
