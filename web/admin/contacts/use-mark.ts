import type { Contact, ContactState } from '#contract/contacts.admin.ts'
import { withReason } from '../failures.ts'
import { useNotices } from '../notices.ts'
import { useAdminTexts } from '../texts.ts'
import { useChangeContact } from './contact-calls.ts'

/** Gives a message another state, says so with the given sentence or its own, and offers to undo it. */
export function useMark({ id, name, state: before }: Contact) {
  const t = useAdminTexts()
  const notices = useNotices()
  const { mutateAsync, isPending } = useChangeContact(id)
  const marked = (state: ContactState) => t.contacts.marked(name, t.contacts.states[state])
  // Awaited, because the row may be gone by then, and an answer to `mutate` with it.
  const change = async (state: ContactState) => {
    try {
      await mutateAsync({ state })
      return true
    } catch (error) {
      notices.failed(error, withReason(t.contacts.markFailed, error, t))
      return false
    }
  }
  const undo = async () => {
    if (await change(before)) notices.done(marked(before))
  }
  const mark = async (state: ContactState, sentence = marked(state)) => {
    if (isPending || state === before) return
    const action = { label: t.contacts.undo, hint: t.contacts.undoHint, run: () => void undo() }
    if (await change(state)) notices.done(sentence, { action })
  }
  return { isMarking: isPending, mark: (state: ContactState, sentence?: string) => void mark(state, sentence) }
}
