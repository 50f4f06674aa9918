import { type ComponentType, useEffect, useState } from 'react'
import type { SectionName } from '#contract/site-fields.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogBody } from '../../ui/dialog.tsx'
import { useAdminTexts } from '../texts.ts'
import type { ReadDraft } from './site-calls.ts'
import { useYourSiteTexts } from './your-site-texts.ts'

export type EditorProps = { site: ReadDraft; first: SectionName }

/** The editor is fetched when it is opened: most visits to the dashboard are about something else. */
export function LaterEditor({ onClose, ...props }: EditorProps & { onClose(): void }) {
  const t = useYourSiteTexts()
  const admin = useAdminTexts()
  const [Editor, setEditor] = useState<ComponentType<EditorProps>>()
  const [attempt, setAttempt] = useState(0)
  const [isMissing, setIsMissing] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt fetches it again.
  useEffect(() => {
    let isWanted = true
    import('./editor.tsx').then(
      (loaded) => isWanted && setEditor(() => loaded.Editor),
      () => isWanted && setIsMissing(true),
    )
    return () => {
      isWanted = false
    }
  }, [attempt])
  return (
    <Dialog open onClose={onClose} title={t.title} description={t.text} closeLabel={admin.common.close} width="screen">
      {Editor ? (
        <Editor {...props} />
      ) : (
        <DialogBody className="basis-[100dvh]">
          {isMissing ? (
            <div role="alert">
              <p className="mb-4">{t.failed}</p>
              <Button
                size="small"
                onClick={() => {
                  setIsMissing(false)
                  setAttempt(attempt + 1)
                }}
              >
                {admin.common.retry}
              </Button>
            </div>
          ) : (
            <p role="status" className="text-(--quiet)">
              {t.loading}
            </p>
          )}
        </DialogBody>
      )}
    </Dialog>
  )
}
