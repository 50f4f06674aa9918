import './admin.css'
import { QueryClientProvider, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Route, Switch } from 'wouter'
import { adminPath, signInPath } from '#contract/first-visit.ts'
import type { Language } from '#contract/languages.ts'
import { useLanguage } from '../language/language.tsx'
import type { PageState } from '../page.ts'
import { Tooltips } from '../ui/icon-button.tsx'
import { loadToaster } from '../ui/toast-store.ts'
import { useLayerHistory } from '../ui/use-layer.ts'
import { useQuestion } from './confirmation/confirmed.ts'
import { Dashboard } from './dashboard/dashboard.tsx'
import { LazyDialog, LazyStates } from './lazy.tsx'
import { queryClient, RoleContext } from './session.ts'
import { loadPanelTexts, setTimeZone, useTimeZone } from './texts.ts'

const signInQuery = queryOptions({ queryKey: ['sign-in'], queryFn: () => import('./accounts/sign-in.tsx') })

/** What the first screen needs, before it is shown. */
export async function loadPanel(language: Language) {
  await Promise.all([loadPanelTexts(language), location.pathname === signInPath && queryClient.prefetchQuery(signInQuery)])
}

/** The panel is a chunk of its own, which visitors do not load. */
export function AdminApp({ state }: { state: PageState }) {
  useEffect(() => void loadToaster().catch(() => {}), [])
  useLayerHistory()
  const { maker } = useLanguage()
  useState(() => setTimeZone(maker.timeZone))
  // Another one changes every date of the panel.
  useTimeZone()
  return (
    <QueryClientProvider client={queryClient}>
      <RoleContext value={state.role}>
        <Switch>
          <Route path={adminPath} component={Dashboard} />
          <Route>
            <SignIn {...state} />
          </Route>
        </Switch>
        <PasswordQuestion />
        <Tooltips />
      </RoleContext>
    </QueryClientProvider>
  )
}

function SignIn(state: PageState) {
  const query = useQuery(signInQuery)
  return query.data ? <query.data.SignIn {...state} /> : <LazyStates query={query} />
}

function PasswordQuestion() {
  const question = useQuestion()
  return question && <LazyDialog part="PasswordDialog" props={question} />
}
