import { parseArgs } from 'node:util'
import { WrongUse } from './wrong-use.ts'

const usage = `Moves the site in DATA_DIR to where several machines can share it. Stop the site first; nothing in DATA_DIR is changed.
  MOVE_DATABASE_URL=postgres://… npm run move -- --to-database --to-bucket <name>
  --to-database        accounts, projects, messages and mails on their way go from the built-in database to the PostgreSQL at
                       MOVE_DATABASE_URL; where that is not set, the address is read from standard input
  --to-bucket <name>   photos and backups go from DATA_DIR to this bucket; S3_ENDPOINT and the others say whose it is
Either may be left out. It can be stopped and begun again; it ends with 0 when all is there and was read again.`

type MoveArgs = {
  /** An address, or `elsewhere` when it is not among the arguments. */
  toDatabase: string | undefined
  toBucket: string | undefined
}

export const elsewhere = ''

/** Refuses an address with a password: every account of the machine can read the arguments of a program. */
export function parseMoveArgs(args: readonly string[]): MoveArgs {
  const { toDatabase, toBucket } = parse(args)
  if (toDatabase === undefined && !toBucket) throw new WrongUse(usage)
  if (toDatabase && hasPassword(toDatabase)) {
    throw new WrongUse(
      'That address has a password in it, and everybody on this machine can read a command line. Nothing was changed.\n' +
        'Set MOVE_DATABASE_URL to the address instead, and use --to-database without it.',
    )
  }
  return { toDatabase, toBucket }
}

function parse(args: readonly string[]): MoveArgs {
  try {
    const { values } = parseArgs({
      // parseArgs knows no option whose value may be left out.
      args: args.map((arg, place) =>
        arg === '--to-database' && (args[place + 1] ?? '--').startsWith('--') ? `${arg}=${elsewhere}` : arg,
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
