import { useSyncExternalStore } from 'react'

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

let toasts: readonly Toast[] = []
let latestId = 0
const listeners = new Set<() => void>()

export function toast({ tone = 'plain', ...texts }: ToastInput) {
  latestId += 1
  toasts = [{ id: latestId, tone, open: true, ...texts }, ...toasts].slice(0, limit)
  notify()
}

export function dismissToast(id: number) {
  toasts = toasts.map((each) => (each.id === id ? { ...each, open: false } : each))
  notify()
  setTimeout(() => {
    toasts = toasts.filter((each) => each.id !== id)
    notify()
  }, removalDelay)
}

export function useToasts() {
  return useSyncExternalStore(subscribe, () => toasts, noToasts)
}

const none: readonly Toast[] = []
const noToasts = () => none

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notify() {
  for (const listener of listeners) listener()
}
