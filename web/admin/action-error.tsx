import type { ReactNode } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import type { AdminTexts } from '#content/en/admin.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { CallError } from '../api/call.ts'
import { cn } from '../ui/cn.ts'
import { NotConfirmed } from './confirmation/confirmed.ts'
import { sentenceOf } from './texts.ts'

/** Why an action failed, beside what it was about, until it is tried again. No live region: a notice announces it. */
export function ActionError({ children }: { children: ReactNode }) {
  if (!children) return null
  return (
    <div
      data-slot="action-error"
      className="border-l-4 border-oxide bg-oxide/5 px-4 py-3 text-[0.9375rem] whitespace-pre-line wrap-anywhere text-oxide"
    >
      {children}
    </div>
  )
}

const edges = { danger: 'border-l-(--danger) bg-(--danger)/8', brass: 'border-l-brass bg-brass/10' } as const

type TroubleProps = { title: string; text?: string; tone?: keyof typeof edges; children: ReactNode }

/** Above the buttons of a dialog: how it stands, with what can be done about it. */
export function Trouble({ title, text, tone = 'danger', children }: TroubleProps) {
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={cn(
        'max-h-[35dvh] min-h-0 items-center gap-6 overflow-y-auto border-t border-l-4 border-t-(--line) py-3 pr-5 pl-4 sm:flex sm:pr-8 sm:pl-7',
        edges[tone],
      )}
    >
      <div className="mr-auto">
        <p className={cn(text && 'font-medium')}>{title}</p>
        {text && <p className="mt-1 text-[0.9375rem]">{text}</p>}
      </div>
      <div className="flex shrink-0 flex-wrap gap-3 max-sm:mt-3">{children}</div>
    </div>
  )
}

/** What failed, and the server's reason on a second line. Empty when the password dialog was cancelled. */
export function withReason(failed: string, error: unknown, t: AdminTexts) {
  if (error instanceof NotConfirmed) return ''
  return `${failed}\n${sentenceOf(error, '', t)}`.trim()
}

/** Problems that belong to one field of the form. */
const fieldOf: Partial<Record<ProblemCode, string>> = {
  username_taken: 'username',
  wrong_password: 'currentPassword',
  password_not_right: 'password',
}

function faultsIn(error: unknown, t: AdminTexts) {
  const problem = error instanceof CallError ? error.problem : undefined
  if (!problem) return []
  const only = fieldOf[problem.code as ProblemCode]
  const faults = only ? { [only]: problem.message } : (problem.fields ?? {})
  return Object.entries(faults).map(([field, message]) => {
    const sentence = t.problem({ ...problem, message, ...(!only && { fields: { [field]: message } }) })
    return { field, message: sentence ?? message }
  })
}

/** Shows the server's field errors beside their fields, until they are edited. Returns whether there were any. */
export function showFieldFaults<Values extends FieldValues>(
  error: unknown,
  t: AdminTexts,
  { getValues, setError }: Pick<UseFormReturn<Values>, 'getValues' | 'setError'>,
  pathOf = (field: string) => field,
) {
  const all = faultsIn(error, t).map(({ field, message }) => ({ field: pathOf(field), message }))
  // A field may be nested: `photos.3.caption`.
  const faults = all.filter(({ field }) => (field.split('.')[0] ?? '') in getValues())
  for (const [index, { field, message }] of faults.entries()) {
    setError(field as Path<Values>, { type: 'server', message }, { shouldFocus: index === 0 })
  }
  return faults.length > 0
}
