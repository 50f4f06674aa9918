import { useEffect, useEffectEvent } from 'react'
import { flushSync } from 'react-dom'

type Layer = { close(): void }

/** The dialogs that are open, the topmost last. */
const layers: Layer[] = []

/**
 * Each open dialog has an entry of its own in the history, so that Back closes the topmost one. All entries have the same
 * address; `layer` in their state says how many dialogs were open.
 */
const depth = () => (history.state as { layer?: number } | null)?.layer ?? 0

/** A step through the history that was asked for here is under way: its popstate is no wish of the person's. */
let travelling = false

function travel(steps: number) {
  travelling = true
  history.go(steps)
}

/** Brings the history in line with the dialogs that are open. */
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
  // A dialog that stayed (it asks first, or is busy) takes its entry back. Chromium's Back button skips entries that were
  // pushed without a click, so a new one would not hold the next Back.
  if (depth() < stayed) travel(stayed - depth())
  else settle()
}

/** To be called where dialogs may open. After a reload there are entries of dialogs that are not open any more. */
export function useLayerHistory() {
  useEffect(() => {
    addEventListener('popstate', onPopState)
    settle()
    return () => removeEventListener('popstate', onPopState)
  }, [])
}

/** Asks the topmost dialog to close. Answers whether there is one. */
export function closeTopLayer() {
  layers.at(-1)?.close()
  return layers.length > 0
}

/** Marks where notices are shown: they are no part of a dialog, and Escape in there means the notice. */
export const noticesSlot = 'notices'

/** What every dialog has in common: Back and Escape close the topmost one, and nothing else. */
export function useLayer(open: boolean, onClose: () => void) {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (!open) return
    const layer = { close: () => close() }
    layers.push(layer)
    // Later, because one dialog may close and another open at the same time.
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
