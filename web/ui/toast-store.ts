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
  tone?: 'plain' | 'destructive'
}

export type Toast = ToastInput & { id: number; tone: 'plain' | 'destructive'; open: boolean }

/** One is visible at a time; a dismissed one is removed after `removalDelay`. */
const limit = 1
const removalDelay = 1_000_000

const toasts = openStore<readonly Toast[]>([])
let latestId = 0

export function toast({ tone = 'plain', ...texts }: ToastInput) {
  latestId += 1
  toasts.set([{ id: latestId, tone, open: true, ...texts }, ...toasts.get()].slice(0, limit))
}

export function dismissToast(id: number) {
  toasts.set(toasts.get().map((each) => (each.id === id ? { ...each, open: false } : each)))
  setTimeout(() => toasts.set(toasts.get().filter((each) => each.id !== id)), removalDelay)
}

export const useToasts = () => useStore(toasts)
