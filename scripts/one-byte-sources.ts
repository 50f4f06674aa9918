import type { Plugin } from 'vite'

/**
 * Writes the server's programs in ASCII. V8 keeps the source of every program it runs, in two bytes a character as soon as
 * one character in it needs them.
 */
export function oneByteSources(): Plugin {
  return {
    name: 'one-byte-sources',
    apply: (_config, { isSsrBuild }) => isSsrBuild === true,
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk') file.code = file.code.replaceAll(/[^\0-\x7f]/g, escaped)
      }
    },
  }
}

const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
