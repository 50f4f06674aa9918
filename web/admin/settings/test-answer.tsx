import type { MailTested } from '#contract/settings.ts'
import { ActionError } from '../action-error.tsx'
import { useSettingsTexts } from '../texts.ts'

/** What became of a test mail. Always rendered, so that screen readers announce it. */
export function TestAnswer({ sent, refused }: { sent: MailTested | undefined; refused: string | undefined }) {
  const { mail: t } = useSettingsTexts()
  return (
    <div role="status" className="wrap-anywhere empty:hidden">
      {refused ? (
        <ActionError>{refused}</ActionError>
      ) : (
        sent && (
          <div className="border-l-4 border-verdigris bg-verdigris/10 px-4 py-3 text-[0.9375rem]">
            <p>{t.tested(sent.to)}</p>
            {sent.answer && <p className="mt-1 text-sm text-(--quiet)">{t.answered(sent.answer)}</p>}
          </div>
        )
      )}
    </div>
  )
}
