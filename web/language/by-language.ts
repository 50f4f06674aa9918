import type { Language } from '#contract/languages.ts'

/** The texts of a lazy part in every language, as `import.meta.glob` finds them in content/: one request less than a file for each. */
export function byLanguage<T>(files: Record<string, T>) {
  const texts = Object.entries(files).map(([file, each]) => [file.split('/').at(-2), each])
  return Object.fromEntries(texts) as Record<Language, T>
}
