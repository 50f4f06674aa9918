import { useEffect, useEffectEvent } from 'react'
import { flushSync } from 'react-dom'

type Layer = { close(): void }

/** The open dialogs, the topmost last. */
const layers: Layer[] = []

/**
 * Each open dialog has an entry in the history, so that Back closes the topmost one. All entries have the same address;
 * `layer` in their state is the number of open dialogs.
 */
const depth = () => (history.state as { layer?: number } | null)?.layer ?? 0

/** Set while a navigation of this module is pending: the popstate of its history.go is not the visitor's Back. */
let travelling = false

function travel(steps: number) {
  travelling = true
  history.go(steps)
}

/** Leaves the page. Its dialogs must not go back in the history meanwhile: that would end the navigation. */
export function leavePage(address: string) {
  travelling = true
  location.replace(address)
}

/** Makes the history match the open dialogs. */
function settle() {
  if (travelling) return
  if (depth() > layers.length) return travel(layers.length - depth())
  while (depth() < layers.length) history.pushState({ ...history.state, layer: depth() + 1 }, '')
}

function onPopState() {
  if (travelling) {
    travelling = false
    return settle()
  }
  const before = layers.length
  if (depth() < before) flushSync(() => layers.at(-1)?.close())
  const stayed = Math.min(before, layers.length)
  // A dialog that stayed open (it asks first, or is busy) gets its entry back. Chromium's Back button skips entries that were
  // pushed without a click, so a new one would not hold the next Back.
  if (depth() < stayed) travel(stayed - depth())
  else settle()
}

/** After a reload the history has entries of dialogs that are not open any more. */
export function useLayerHistory() {
  useEffect(() => {
    addEventListener('popstate', onPopState)
    settle()
    return () => removeEventListener('popstate', onPopState)
  }, [])
}

/** Asks the topmost dialog to close. Returns whether there is one. */
export function closeTopLayer() {
  layers.at(-1)?.close()
  return layers.length > 0
}

/** Marks the notices: Escape inside them dismisses a notice, not a dialog. */
export const noticesSlot = 'notices'

/** Back and Escape close the topmost dialog only. */
export function useLayer(open: boolean, onClose: () => void) {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (!open) return
    const layer = { close: () => close() }
    layers.push(layer)
    // Deferred: one dialog may close and another open in the same commit.
    queueMicrotask(settle)
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      queueMicrotask(settle)
    }
  }, [open])
  return {
    onEscapeKeyDown(event: KeyboardEvent) {
      if (event.target instanceof Element && event.target.closest(`[data-slot="${noticesSlot}"]`)) event.preventDefault()
    },
  }
}
