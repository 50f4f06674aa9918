/** Not `URL.canParse`: once Node.js 20 and 22 have optimized that, it refuses hosts such as `ñandú.example`. */
export function parseUrl(text: string, base?: string) {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
