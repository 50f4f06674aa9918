import { Button } from '../ui/button.tsx'
import { DialogBody } from '../ui/dialog.tsx'
import { useAdminTexts } from './texts.ts'

type Props = { isMissing: boolean; retry(): void; loading: string; failed: string; className?: string }

/** What a dialog shows while its contents are fetched, and when they did not arrive. */
export function LaterBody({ isMissing, retry, loading, failed, className }: Props) {
  const { common } = useAdminTexts()
  return (
    <DialogBody {...(className && { className })}>
      {isMissing ? (
        <div role="alert">
          <p className="mb-4">{failed}</p>
          <Button size="small" onClick={retry}>
            {common.retry}
          </Button>
        </div>
      ) : (
        <p role="status" className="text-(--quiet)">
          {loading}
        </p>
      )}
    </DialogBody>
  )
}
