import './admin.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Route, Switch } from 'wouter'
import { adminPath } from '#contract/first-visit.ts'
import { useLanguage } from '../language/language.tsx'
import type { PageState } from '../page.ts'
import { TooltipProvider } from '../ui/icon-button.tsx'
import { loadToaster } from '../ui/toast-store.ts'
import { useLayerHistory } from '../ui/use-layer.ts'
import { PasswordQuestion } from './confirmation/password-question.tsx'
import { Dashboard } from './dashboard/dashboard.tsx'
import { queryClient, RoleContext } from './session.ts'
import { SignIn } from './sign-in.tsx'
import { loadPanelTexts, setPanelTimeZone } from './texts.ts'

/** Before it is first shown. */
export { loadPanelTexts }

/** The panel is a chunk of its own, which visitors do not load. */
export function AdminApp({ state }: { state: PageState }) {
  useEffect(() => void loadToaster().catch(() => {}), [])
  useLayerHistory()
  setPanelTimeZone(useLanguage().maker.timeZone)
  return (
    <QueryClientProvider client={queryClient}>
      <RoleContext value={state.role}>
        <TooltipProvider>
          <Switch>
            <Route path={adminPath} component={Dashboard} />
            <Route>
              <SignIn {...state} />
            </Route>
          </Switch>
          <PasswordQuestion />
        </TooltipProvider>
      </RoleContext>
    </QueryClientProvider>
  )
}
