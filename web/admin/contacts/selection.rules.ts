/**
 * The selected contacts: those in `ids`, or with `upTo` all up to that one except those in `ids`. Contacts that arrive later
 * are never included.
 */
export type Selection = { upTo: string | undefined; ids: ReadonlySet<string> }

export const nothing: Selection = { upTo: undefined, ids: new Set() }

export function everything(upTo: string): Selection {
  return { upTo, ids: new Set() }
}

export function isSelected({ upTo, ids }: Selection, id: string) {
  return ids.has(id) !== (upTo !== undefined)
}

export function withTicked({ upTo, ids }: Selection, changed: readonly string[], ticked: boolean): Selection {
  const named = new Set(ids)
  const isNamed = ticked !== (upTo !== undefined)
  for (const id of changed) {
    if (isNamed) named.add(id)
    else named.delete(id)
  }
  return { upTo, ids: named }
}

export function withoutId({ upTo, ids }: Selection, gone: string): Selection {
  return { upTo, ids: new Set([...ids].filter((id) => id !== gone)) }
}

/** The rows between two, inclusive, in either direction; only the last when the first is gone. */
export function rangeOf(rows: readonly string[], from: string | undefined, to: string) {
  const start = from === undefined ? -1 : rows.indexOf(from)
  const end = rows.indexOf(to)
  return start < 0 ? [to] : rows.slice(Math.min(start, end), Math.max(start, end) + 1)
}

/** Undefined when all are selected and their number is not known. */
export function countSelected({ upTo, ids }: Selection, all: number | undefined) {
  if (upTo === undefined) return ids.size
  return all === undefined ? undefined : Math.max(0, all - ids.size)
}

/** The calls that delete them, with at most `most` ids each. */
export function toDelete({ upTo, ids }: Selection, most: number): ({ ids: string[] } | { upTo: string; except: string[] })[] {
  const named = [...ids]
  if (upTo !== undefined) return [{ upTo, except: named }]
  const calls = Math.ceil(named.length / most)
  return Array.from({ length: calls }, (_, index) => ({ ids: named.slice(index * most, (index + 1) * most) }))
}
