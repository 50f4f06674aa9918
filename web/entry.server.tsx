import { renderToString } from 'react-dom/server'
import type { PageInput, RenderedPage } from './page.ts'

export async function renderPage({ base, ...state }: PageInput): Promise<RenderedPage> {
  return {
    language: state.language,
    head: `<title>${base}</title>`,
    body: renderToString(<p>{state.projects?.length}</p>),
    state,
  }
}
