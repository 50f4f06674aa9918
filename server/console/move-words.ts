import { parseArgs } from 'node:util'

/** What was typed cannot be done as it was typed; its message says what can. */
export class WrongUse extends Error {}

const usage = `Moves the site in DATA_DIR to where several machines can share it. Stop the site first; nothing in DATA_DIR is changed.
  MOVE_DATABASE_URL=postgres://… npm run move -- --to-database --to-bucket <name>
  --to-database        accounts, projects and messages go from the built-in database to the PostgreSQL at MOVE_DATABASE_URL;
                       where that is not set, the address is read from standard input
  --to-bucket <name>   photos and backups go from DATA_DIR to this bucket; S3_ENDPOINT and the others say whose it is
Either may be left out. It can be stopped and begun again; it ends with 0 when all is there and was read again.`

type Asked = {
  /** An address, or `elsewhere` when it is not on the command line. */
  toDatabase: string | undefined
  toBucket: string | undefined
}

export const elsewhere = ''

/** An address may be on the command line as long as it holds no password: everybody on the machine can read that. */
export function readWords(words: readonly string[]): Asked {
  const { toDatabase, toBucket } = parse(words)
  if (toDatabase === undefined && !toBucket) throw new WrongUse(usage)
  if (toDatabase && hasPassword(toDatabase)) {
    throw new WrongUse(
      'That address has a password in it, and everybody on this machine can read a command line. Nothing was changed.\n' +
        'Set MOVE_DATABASE_URL to the address instead, and use --to-database without it.',
    )
  }
  return { toDatabase, toBucket }
}

function parse(words: readonly string[]): Asked {
  try {
    const { values } = parseArgs({
      // An option with a value that may be left out is more than parseArgs knows.
      args: words.map((word, place) =>
        word === '--to-database' && (words[place + 1] ?? '--').startsWith('--') ? `${word}=${elsewhere}` : word,
      ),
      options: { 'to-database': { type: 'string' }, 'to-bucket': { type: 'string' } },
    })
    return { toDatabase: values['to-database'], toBucket: values['to-bucket'] }
  } catch {
    throw new WrongUse(usage)
  }
}

function hasPassword(address: string) {
  return /^[a-z]+:\/\/[^/@]*:[^@]*@/i.test(address) || /[?&]password=/i.test(address)
}
