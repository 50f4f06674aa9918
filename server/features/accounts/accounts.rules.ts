/**
 * What makes two names the same: "Álvaro" and "ÁLVARO" are one person, however their keyboards spell the accent. Decided
 * here, because SQLite and some PostgreSQL locales know the capitals of English only.
 */
export function nameKeyOf(username: string) {
  return username.normalize('NFC').toLowerCase()
}
