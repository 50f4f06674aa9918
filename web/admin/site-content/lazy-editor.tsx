import type { SectionName } from '#contract/site-fields.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { LazyBody, useLazy } from '../lazy.tsx'
import { useAdminTexts } from '../texts.ts'
import type { ReadDraft } from './site-calls.ts'
import { useYourSiteTexts } from './site-content-texts.ts'

export type EditorProps = { site: ReadDraft; first: SectionName }

export function LazyEditor({ onClose, ...props }: EditorProps & { onClose(): void }) {
  const t = useYourSiteTexts()
  const { common } = useAdminTexts()
  const { Part: Editor, ...lazy } = useLazy(() => import('./editor.tsx').then((loaded) => loaded.Editor))
  return (
    <Dialog open onClose={onClose} title={t.title} description={t.text} closeLabel={common.close} width="screen">
      {Editor ? <Editor {...props} /> : <LazyBody {...lazy} loading={t.loading} failed={t.failed} className="basis-[100dvh]" />}
    </Dialog>
  )
}
