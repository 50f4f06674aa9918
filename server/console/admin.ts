import { randomBytes } from 'node:crypto'
import { newUsername, seenOf } from '#contract/accounts.ts'
import { systemClock as clock } from '../clock.ts'
import { readCheckedConfig } from '../config.ts'
import type { Db } from '../database/tables.ts'
import {
  findAdmin,
  findAdminByName,
  listAdmins,
  nameKeyOf,
  renameAdmin,
  setPasswordHash,
} from '../features/accounts/accounts.queries.ts'
import { removePasskeysOf } from '../features/accounts/passkeys.queries.ts'
import { hashPassword } from '../features/accounts/passwords.ts'
import { dropTokensOf } from '../features/accounts/tokens.queries.ts'
import { noteActivity } from '../features/activity/activity.queries.ts'
import { endSessionsOf } from '../http/sessions.ts'
import { keepFilesPrivate } from '../start/data-folder.ts'
import { openExistingDatabase } from './existing-site.ts'
import { complain, print } from './output.ts'

type Account = NonNullable<Awaited<ReturnType<typeof findAdmin>>>

const usage = `Accounts from the console:
  npm run admin -- list                 who can sign in
  npm run admin -- reset <username>     a new password for an account; its sessions end, and its passkeys are removed
  npm run admin -- rename <old> <new>   another name for an account`

/** For administrators who are locked out. Works while the site runs. */
async function run([command, username, newName]: string[]) {
  if (command !== 'list' && !(command === 'reset' && username) && !(command === 'rename' && username && newName))
    return fail(usage)
  const config = await readCheckedConfig(process.env)
  const { db, close } = await openExistingDatabase(config)
  try {
    if (command === 'list') {
      for (const admin of await listAdmins(db)) {
        print(
          `${admin.username.padEnd(24)} ${admin.role.padEnd(6)} created ${admin.createdAt}   last login ${admin.lastLogin ?? 'never'}`,
        )
      }
      return
    }
    const admin = await findTyped(db, username ?? '')
    if (!admin) return fail(`There is no account called "${username}". npm run admin -- list shows the accounts.`)
    await (command === 'rename' && newName ? rename(db, admin, newName) : resetPassword(db, admin))
  } finally {
    await close()
  }
}

/** Terminals drop some of the invisible characters that the first release allowed in names. */
async function findTyped(db: Db, username: string) {
  const exact = await findAdminByName(db, username)
  if (exact) return exact
  const typed = nameKeyOf(seenOf(username))
  const [alike, ...others] = (await listAdmins(db)).filter((admin) => nameKeyOf(seenOf(admin.username)) === typed)
  return alike && others.length === 0 ? findAdmin(db, alike.id) : undefined
}

async function resetPassword(db: Db, admin: Account) {
  const password = randomBytes(12).toString('base64url')
  const passwordHash = await hashPassword(password)
  const reset = await db.transaction().execute(async (tx) => {
    if (!(await setPasswordHash(tx, admin, passwordHash))) return undefined
    await endSessionsOf(tx, admin.id)
    await dropTokensOf(tx, admin.id, 'new password')
    // Otherwise wrong guesses of others would delay the first sign-in.
    await tx.deleteFrom('loginAttempts').execute()
    await noteActivity(tx, undefined, { kind: 'password_reset', name: admin.username }, clock.now())
    // One that another person has added may be the reason for the reset.
    return { passkeys: await removePasskeysOf(tx, admin.id) }
  })
  if (!reset) return fail('The account was changed at the same moment. Nothing was done: run the command again.')
  print(`The password of ${admin.username} is now: ${password}`)
  print('Sign in with it and change it under Admin Management.')
  if (reset.passkeys > 0) print(`Its passkeys were removed (${reset.passkeys}). Add yours again there.`)
}

async function rename(db: Db, admin: Account, newName: string) {
  // The site knows the demo account by its name, and would open it to everybody under another.
  if (admin.demo) return fail(`This is the demo account. First run npm run admin -- reset ${admin.username}`)
  const { data: username, error } = newUsername.safeParse(newName)
  if (error) return fail(error.issues[0]?.message ?? usage)
  const isRenamed = await db.transaction().execute(async (tx) => {
    if (!(await renameAdmin(tx, admin.id, username))) return false
    const names = { name: admin.username, newName: username }
    await noteActivity(tx, undefined, { kind: 'account_renamed', ...names }, clock.now())
    return true
  })
  if (!isRenamed) return fail('That username is already taken.')
  print(`The account is now called ${username}.`)
}

function fail(message: string) {
  complain(message)
  process.exitCode = 1
}

keepFilesPrivate()
run(process.argv.slice(2)).catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)))
