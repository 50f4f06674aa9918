import { useMutation } from '@tanstack/react-query'
import { Trash2, Upload } from 'lucide-react'
import { useState } from 'react'
import type { SectionName, SiteField } from '#contract/site-fields.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmCall } from '../confirm-call.tsx'
import { ConfirmDialog, DialogActions } from '../dialog.tsx'
import { useIsOwner } from '../session.ts'
import { useYourSiteTexts } from '../texts.ts'
import { useFieldName } from './field-names.ts'
import { SaveState } from './save-state.tsx'
import { isSiteChanged, usePublishing } from './site-calls.ts'
import { conflictsIn, faultyIn, halfOriginal, missingNow, sectionOf } from './site-draft.rules.ts'
import { useSite } from './text-field.tsx'

type Props = {
  onShow(section: SectionName): void
  onWrite(field: SiteField): void
}

export function PublishBar({ onShow, onWrite }: Props) {
  const t = useYourSiteTexts()
  const nameOf = useFieldName()
  const isOwner = useIsOwner()
  const site = useSite()
  const count = site.unpublished.length
  const { busy, publish } = usePublishing(site)
  const discard = useMutation({ mutationFn: () => site.discard() })
  const [discarding, setDiscarding] = useState(false)
  const [asking, setAsking] = useState(false)
  const canPublish = busy === undefined && count > 0 && conflictsIn(site.content, site.typed).length === 0
  const missing = missingNow(site.content, site.typed)
  const half = halfOriginal(site.content, site.typed)
  const start = () => {
    if (missing) onShow(sectionOf(missing))
    else if (half.length > 0) setAsking(true)
    else void publish()
  }
  const toDiscard = count + faultyIn(site.typed).length
  return (
    <DialogActions>
      <SaveState site={site} onShow={onShow} isChoiceShown className="self-center empty:hidden max-sm:basis-full! sm:flex-1" />
      {toDiscard > 0 && (
        <Button
          icon={Trash2}
          tone="quiet"
          className="max-sm:w-11 max-sm:flex-none! max-sm:px-0"
          onClick={() => setDiscarding(true)}
        >
          <span className="max-sm:sr-only">{t.discard.action}</span>
        </Button>
      )}
      {isOwner ? (
        <Button
          icon={Upload}
          tone="brass"
          className="aria-disabled:cursor-not-allowed aria-disabled:opacity-60"
          // Not `disabled`: the button would lose the focus after publishing.
          aria-disabled={!canPublish}
          onClick={() => canPublish && start()}
        >
          {busy === undefined ? t.publish.action(count) : t.publish.pending}
        </Button>
      ) : (
        count > 0 && <p className="self-center text-sm text-(--quiet)">{t.publish.byOwner}</p>
      )}
      {asking && (
        <ConfirmDialog
          title={t.publish.half.title}
          text={t.publish.half.text(half.length)}
          confirmLabel={t.publish.half.anyway}
          onCancel={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false)
            void publish()
          }}
        >
          <ul className="-my-2">
            {half.map((field) => (
              <li key={field}>
                <Button
                  tone="quiet"
                  className="-mx-3 px-3 text-left underline underline-offset-4"
                  onClick={() => {
                    setAsking(false)
                    onWrite(field)
                  }}
                >
                  {nameOf(field)}
                </Button>
              </li>
            ))}
          </ul>
        </ConfirmDialog>
      )}
      {discarding && (
        <ConfirmCall
          call={discard}
          input={undefined}
          title={t.discard.title}
          text={t.discard.text(toDiscard)}
          action={t.discard.action}
          busy={t.discard.pending}
          failed={(error) => (isSiteChanged(error) ? t.discard.changed : t.discard.failed)}
          onDone={() => t.discard.done}
          onClose={() => setDiscarding(false)}
        />
      )}
    </DialogActions>
  )
}
