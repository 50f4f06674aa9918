import { parseArgs } from 'node:util'
import type { BackupType } from '#contract/backups.ts'

/** A command that is not understood; the program ends with 2. */
export class WrongUse extends Error {}

const backupUsage = `Backups from the console; all of it works while the site runs, but for what says otherwise:
  npm run backup                      a complete backup: projects, messages, the texts of the site, and all photos
  npm run backup -- database          a copy of the whole database
  npm run backup -- export            projects, messages and the texts of the site as JSON
  npm run backup -- --keep            a nightly backup now: copied off-site where a target is set, and old ones of its kind
                                      are deleted as retention says
  npm run backup -- list              the backups and their status
  npm run backup -- delete <name>     deletes one; the last whole one only with --last
  npm run restore -- <file>           adds what is missing, brings back changed projects, the texts of the site, and what was
                                      done with messages later than here; deletes nothing
  npm run restore -- --preview <file> says what that would do, and changes nothing
  npm run restore -- --undo           makes what the last restore or import has changed as it was
  npm run restore -- <database backup>
                                      goes back to it, accounts and all. The site must be stopped; the present one is kept in set-aside/
  npm run restore -- --new-database <complete backup>
                                      the same where the database is lost. The site must be stopped
  npm run verify -- <file>            reads a backup as a restore would, and changes nothing
<file> is a file of this machine or the name of a listed backup or of an off-site copy: complete_backup_….zip or
export_….json, or either of them encrypted (.age).
Ends with 0 when all is well, with 1 when something was refused or failed, with 2 when a command is wrong, with 3 when
a backup was made from which photos or records are missing.`

const kinds: readonly BackupType[] = ['complete', 'database', 'export']

export type BackupArgs =
  | { command: 'backup'; kind: BackupType }
  | { command: 'keep' | 'list' | 'undo' }
  | { command: 'delete'; name: string; last: boolean }
  | { command: 'restore' | 'new-database' | 'preview' | 'verify'; name: string }

/** Throws the usage for anything that is not understood to the last word. */
export function parseBackupArgs(args: readonly string[]): BackupArgs {
  const {
    values,
    positionals: [command, ...names],
  } = parseBackupFlags(args)
  const [first = '', second = ''] = names
  const hasOnly = (count: number, ...allowed: string[]) =>
    names.length === count && Object.keys(values).every((flag, place) => place === 0 && allowed.includes(flag))
  if (command === 'verify' && hasOnly(1)) return { command, name: first }
  if (command === 'restore' && hasOnly(1, 'preview')) return { command: values.preview ? 'preview' : 'restore', name: first }
  if (command === 'restore' && values.undo && hasOnly(0, 'undo')) return { command: 'undo' }
  if (command === 'restore' && hasOnly(1, 'new-database')) return { command: 'new-database', name: first }
  if (command === 'backup') {
    if (hasOnly(0, 'keep')) return values.keep ? { command: 'keep' } : { command, kind: 'complete' }
    if (first === 'list' && hasOnly(1)) return { command: 'list' }
    if (first === 'delete' && hasOnly(2, 'last')) return { command: 'delete', name: second, last: values.last === true }
    const kind = kinds.find((each) => each === first)
    if (kind && hasOnly(1)) return { command, kind }
  }
  throw new WrongUse(backupUsage)
}

const flag = { type: 'boolean' } as const

function parseBackupFlags(args: readonly string[]) {
  try {
    const options = { keep: flag, last: flag, preview: flag, undo: flag, 'new-database': flag }
    return parseArgs({ args: [...args], allowPositionals: true, options })
  } catch {
    throw new WrongUse(backupUsage)
  }
}

const moveUsage = `Moves the site in DATA_DIR to where several machines can share it. Stop the site first; nothing in DATA_DIR is changed.
  MOVE_DATABASE_URL=postgres://… npm run move -- --to-database --to-bucket <name>
  --to-database        accounts, projects, messages and mails on their way go from the built-in database to the PostgreSQL at
                       MOVE_DATABASE_URL; where that is not set, the address is read from standard input
  --to-bucket <name>   photos and backups go from DATA_DIR to this bucket; S3_ENDPOINT and the others say whose it is
Either may be left out. It can be stopped and begun again; it ends with 0 when all is there and was read again.`

type MoveArgs = {
  /** An address, or `readAddress` where it is not among the arguments. */
  toDatabase: string | undefined
  toBucket: string | undefined
}

/** The address is in MOVE_DATABASE_URL or on standard input. */
export const readAddress = ''

/** Refuses an address with a password: every account of the machine can read the arguments of a process. */
export function parseMoveArgs(args: readonly string[]): MoveArgs {
  const { toDatabase, toBucket } = parseMoveFlags(args)
  if (toDatabase === undefined && !toBucket) throw new WrongUse(moveUsage)
  if (toDatabase && hasPassword(toDatabase)) {
    throw new WrongUse(
      'That address has a password in it, and everybody on this machine can read a command line. Nothing was changed.\n' +
        'Set MOVE_DATABASE_URL to the address instead, and use --to-database without it.',
    )
  }
  return { toDatabase, toBucket }
}

function parseMoveFlags(args: readonly string[]): MoveArgs {
  try {
    const { values } = parseArgs({
      // parseArgs has no options with an optional value.
      args: args.map((arg, place) =>
        arg === '--to-database' && (args[place + 1] ?? '--').startsWith('--') ? `${arg}=${readAddress}` : arg,
      ),
      options: { 'to-database': { type: 'string' }, 'to-bucket': { type: 'string' } },
    })
    return { toDatabase: values['to-database'], toBucket: values['to-bucket'] }
  } catch {
    throw new WrongUse(moveUsage)
  }
}

function hasPassword(address: string) {
  return /^[a-z]+:\/\/[^/@]*:[^@]*@/i.test(address) || /[?&]password=/i.test(address)
}
