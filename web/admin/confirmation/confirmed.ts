import { readConfirmation } from '#contract/accounts.ts'
import type { AskingAccess, Endpoint, InputOf, ReplyOf } from '#contract/endpoint.ts'
import { call, callAny } from '../../api/call.ts'
import { openStore, useStore } from '../../ui/store.ts'
import { isRefusedAs } from '../session.ts'

/** The password dialog was cancelled: nothing was done, and no error is shown. */
export class NotConfirmed extends Error {}

export type Question = {
  /** The focused element when the call began. */
  opener: Element | null
  onConfirmed(): void
  onClose(): void
}

const asked = openStore<Question | undefined>(undefined)

export const useQuestion = () => useStore(asked)

/** Runs a call; when the server requires the password first, asks for it and runs the call again. */
export async function confirmed<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  // Before it runs: a button that becomes disabled loses the focus.
  const opener = document.activeElement
  try {
    return await run()
  } catch (error) {
    if (!isRefusedAs(error, 'password_needed')) throw error
  }
  await ask(opener)
  return run()
}

/** A declared call that may require the password. */
export function callConfirmed<E extends Endpoint<AskingAccess>>(
  endpoint: E,
  ...input: unknown extends InputOf<E> ? [] : [InputOf<E>]
): Promise<ReplyOf<E>> {
  return confirmed(() => callAny(endpoint, input[0]))
}

/** For downloads, which the browser fetches itself. Throws NotConfirmed when the dialog is cancelled. */
export async function beConfirmed() {
  const opener = document.activeElement
  if ((await call(readConfirmation)).needed) await ask(opener)
}

/** One password dialog for all calls that wait for it. */
let answered: Promise<void> | undefined

function ask(opener: Element | null) {
  answered ??= new Promise<void>((onConfirmed, refuse) => {
    asked.set({ opener, onConfirmed, onClose: () => refuse(new NotConfirmed('The password was not given.')) })
  }).finally(() => {
    answered = undefined
    asked.set(undefined)
  })
  return answered
}
