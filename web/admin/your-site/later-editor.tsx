import type { SectionName } from '#contract/site-fields.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { LaterBody } from '../later-body.tsx'
import { useAdminTexts, useYourSiteTexts } from '../texts.ts'
import { useLater } from '../use-later.ts'
import type { ReadDraft } from './site-calls.ts'

export type EditorProps = { site: ReadDraft; first: SectionName }

export function LaterEditor({ onClose, ...props }: EditorProps & { onClose(): void }) {
  const t = useYourSiteTexts()
  const { common } = useAdminTexts()
  const { Part: Editor, ...later } = useLater(() => import('./editor.tsx').then((loaded) => loaded.Editor))
  return (
    <Dialog open onClose={onClose} title={t.title} description={t.text} closeLabel={common.close} width="screen">
      {Editor ? (
        <Editor {...props} />
      ) : (
        <LaterBody {...later} loading={t.loading} failed={t.failed} className="basis-[100dvh]" />
      )}
    </Dialog>
  )
}
