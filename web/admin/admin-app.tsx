import './admin.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Route, Switch } from 'wouter'
import { adminPath } from '#contract/page-paths.ts'
import { loadToaster } from '../ui/toast-store.ts'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { useLayerHistory } from '../ui/use-layer.ts'
import { PasswordQuestion } from './confirmation/password-question.tsx'
import { Dashboard } from './dashboard.tsx'
import { createQueryClient } from './query-client.ts'
import { SignIn } from './sign-in.tsx'
import { loadPanelTexts } from './texts.ts'

/** Before it is first shown. */
export { loadPanelTexts }

const queryClient = createQueryClient()

/** The panel: its own chunk, so that visitors never carry it. */
export function AdminApp({ demoHint }: { demoHint: boolean }) {
  useEffect(() => void loadToaster().catch(() => {}), [])
  useLayerHistory()
  return (
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <Switch>
          <Route path={adminPath} component={Dashboard} />
          <Route>
            <SignIn demoHint={demoHint} />
          </Route>
        </Switch>
        <PasswordQuestion />
      </TooltipProvider>
    </QueryClientProvider>
  )
}
