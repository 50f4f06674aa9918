import { openStore, useStore } from './store.ts'

/** Loaded with the first notice: most visits have none. */
export const loadToaster = () => import('./toaster.tsx')

type ToastInput = {
  title: string
  description?: string
  /** A second line. */
  note?: string
  /** `hint` tells screen reader users how to reach it. */
  action?: { label: string; hint: string; run(): void }
  tone?: 'destructive'
}

export type Toast = ToastInput & { id: number; open: boolean }

/** One is visible at a time; a dismissed one is removed after `removalDelay`. */
const removalDelay = 1_000_000

const current = openStore<Toast | undefined>(undefined)
let latestId = 0

export function toast(input: ToastInput) {
  latestId += 1
  current.set({ id: latestId, open: true, ...input })
}

export function dismissToast(toast: Toast) {
  if (current.get()?.id !== toast.id) return
  const closed = { ...toast, open: false }
  current.set(closed)
  setTimeout(() => current.get() === closed && current.set(undefined), removalDelay)
}

/** What has been done is put away with the screen it was done on; what has failed stays. */
export function leaveToast() {
  const present = current.get()
  if (present?.open && present.tone !== 'destructive') dismissToast(present)
}

export const useToast = () => useStore(current)
