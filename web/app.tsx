import { lazy, Suspense } from 'react'
import { type Cache, CacheProvider } from './api/cache.ts'
import { LanguageProvider } from './language/language.tsx'
import { shownLanguage } from './language/texts.ts'
import { Notifications } from './notifications.tsx'
import { isPanel, type PageState } from './page.ts'
import { Brand } from './site/brand.tsx'
import { loadContactForm } from './site/later-contact-form.tsx'
import { Site } from './site/site.tsx'
import { loadStaticParts, staticPart } from './site/static-part.tsx'

const AdminApp = lazy(async () => {
  const { AdminApp, loadPanelTexts } = await import('./admin/admin-app.tsx')
  await loadPanelTexts(shownLanguage())
  return { default: AdminApp }
})

const loadNotFound = async () => (await import('./site/not-found.tsx')).NotFound
const notFound = staticPart(loadNotFound, import.meta.env.SSR ? await loadNotFound() : undefined)

/** What is not here yet of a page in another language. Where the first cannot be loaded, the page stays as it is. */
async function loadOtherParts() {
  await loadContactForm()
  await loadStaticParts()
}

type Props = { state: PageState; cache: Cache }

export function App({ state, cache }: Props) {
  return (
    <CacheProvider value={cache}>
      <LanguageProvider
        initial={state.language}
        isInAddress={state.languageAsked ?? false}
        own={state.own}
        isPreview={state.preview !== undefined}
        onChange={loadOtherParts}
      >
        <Page state={state} />
        <Notifications />
      </LanguageProvider>
    </CacheProvider>
  )
}

/** The server decides which one, also in the browser: going from one to another is a new document. */
function Page({ state }: { state: PageState }) {
  if (state.path === '/')
    return (
      <Site
        category={state.category}
        featured={state.featured}
        arrived={state.openProject}
        isGone={state.isGone}
        about={state.about}
        sentForm={state.sentForm}
      />
    )
  if (!isPanel(state.path)) return notFound
  return (
    <Suspense fallback={<AdminArriving />}>
      <AdminApp demoHint={state.demoHint ?? false} />
    </Suspense>
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
