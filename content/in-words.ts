/** `one, two and three`, without what is left out. */
export function inWords(named: readonly (string | false | undefined)[], and: string) {
  const all = named.filter((name) => typeof name === 'string')
  return all.length > 1 ? `${all.slice(0, -1).join(', ')} ${and} ${all.at(-1)}` : (all[0] ?? '')
}
