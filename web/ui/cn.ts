/** Class names, without the ones that do not apply. */
export function cn(...names: (string | false | null | undefined)[]) {
  return names.filter(Boolean).join(' ')
}
