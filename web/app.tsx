import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { type Cache, CacheProvider } from './api/cache.ts'
import { LanguageProvider, useLanguage } from './language/language.tsx'
import { shownLanguage } from './language/site-texts.ts'
import { isPanel, type PageState } from './page.ts'
import { loadContactForm } from './site/contact/lazy-contact-form.tsx'
import { Brand } from './site/page/brand.tsx'
import { Site } from './site/page/site.tsx'
import { loadStaticParts, staticPart } from './site/page/static-part.tsx'
import { dismissToast, loadToaster, type Toast, useToast } from './ui/toast-store.ts'

const AdminApp = lazy(async () => {
  const { AdminApp, loadPanel } = await import('./admin/admin-app.tsx')
  await loadPanel(shownLanguage())
  return { default: AdminApp }
})

const loadNotFound = async () => (await import('./site/page/static-sections.tsx')).NotFound
const notFound = staticPart(loadNotFound, import.meta.env.SSR ? await loadNotFound() : undefined)

/** The code that a change of language needs. If the form cannot be loaded, the page stays as it is. */
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

/** By the path of the document: there is no client-side routing between these pages. */
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
    <Suspense fallback={<AdminLoading />}>
      <AdminApp state={state} />
    </Suspense>
  )
}

/** The panel's frame while its code is loading. */
function AdminLoading() {
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

type ToasterProps = { label: string; closeLabel: string }

/** Loads the toaster with the first notice. If that fails, a plain one is shown, and the next notice tries again. */
function Notifications() {
  const { texts } = useLanguage()
  const latest = useToast()
  const latestId = latest?.id
  const [Toaster, setToaster] = useState<ComponentType<ToasterProps>>()
  const [lostId, setLostId] = useState<number>()
  useEffect(() => {
    if (!latestId) return
    loadToaster().then(
      (module) => setToaster(() => module.Toaster),
      () => setLostId(latestId),
    )
  }, [latestId])
  if (Toaster) return <Toaster label={texts.notifications.label} closeLabel={texts.notifications.close} />
  return latest?.open && latest.id === lostId && <PlainNotice key={lostId} notice={latest} />
}

function PlainNotice({ notice }: { notice: Toast }) {
  useEffect(() => {
    const timer = setTimeout(dismissToast, 5000, notice)
    return () => clearTimeout(timer)
  }, [notice])
  return (
    <div role="alert" className="on-ink fixed inset-x-4 top-4 z-100 mx-auto max-w-[420px] border border-ink-line p-4">
      <p className="font-medium">{notice.title}</p>
      <p className="text-sm text-ink-quiet">{notice.description}</p>
    </div>
  )
}
