import { withTabStorage } from '../../tab-storage.ts'
import { knownOnly, type Typed } from './site-draft.rules.ts'

/**
 * What is typed into the site's texts and not saved yet is copied into the tab's storage with every change, so that neither a
 * reload nor a session that ends nor a lost connection costs the maker what was typed.
 */
const key = 'your-site'

export function readTyped(): Typed {
  return withTabStorage((storage) => knownOnly(JSON.parse(storage.getItem(key) ?? '{}'))) ?? {}
}

export function keepTyped(typed: Typed) {
  if (Object.keys(typed).length === 0) dropTyped()
  else withTabStorage((storage) => storage.setItem(key, JSON.stringify(typed)))
}

export function dropTyped() {
  withTabStorage((storage) => storage.removeItem(key))
}

export const isTypedKept = () => Object.keys(readTyped()).length > 0
