import type { ValueFault } from '#contract/problems.ts'

/** A sentence for everything that can be wrong with a value. It may follow a label, so it begins with a small letter. */
export type ValueFaults = Record<ValueFault['fault'], (fault: { limit: number; names: string }) => string>

/** A fault of a newer release has no sentence of its own here. */
export function faultSentence(faults: ValueFaults, { fault, limit = 0, names = [] }: Omit<ValueFault, 'field'>) {
  return (faults[fault] ?? faults.wrong)({ limit, names: names.join(', ') })
}

/** `Title: this is missing.` */
export function withLabel(label: string, sentence: string) {
  const text = label ? `${label}: ${sentence}` : sentence
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
