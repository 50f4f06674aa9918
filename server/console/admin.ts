import { randomBytes } from 'node:crypto'
import { readConfig } from '../config.ts'
import { findAdminByName, listAdmins, setPasswordHash } from '../features/admins/admins.queries.ts'
import { hashPassword } from '../features/admins/passwords.ts'
import { endSessionsOf } from '../http/sessions.ts'
import { keepFilesPrivate } from '../private-files.ts'
import { openExistingDatabase } from './existing-site.ts'

const usage = `Accounts from the console:
  npm run admin -- list               who can sign in
  npm run admin -- reset <username>   a new password for an account; its sessions end`

/** For when nobody can sign in any more. Works while the site runs. */
async function run([command, username]: string[]) {
  if (command !== 'list' && !(command === 'reset' && username)) return fail(usage)
  const config = readConfig(process.env)
  const { db, close } = await openExistingDatabase(config)
  try {
    if (command === 'list') {
      for (const admin of await listAdmins(db)) {
        print(`${admin.username.padEnd(24)} created ${admin.createdAt}   last login ${admin.lastLogin ?? 'never'}`)
      }
      return
    }
    const admin = await findAdminByName(db, username ?? '')
    if (!admin) return fail(`There is no account called "${username}". npm run admin -- list shows the accounts.`)
    const password = randomBytes(12).toString('base64url')
    const passwordHash = await hashPassword(password)
    await db.transaction().execute(async (tx) => {
      await setPasswordHash(tx, admin.id, passwordHash)
      await endSessionsOf(tx, admin.id)
      // Otherwise wrong guesses of others would delay the first sign-in.
      await tx.deleteFrom('loginAttempts').execute()
    })
    print(`The password of ${admin.username} is now: ${password}`)
    print('Sign in with it and change it under Admin Management.')
  } finally {
    await close()
  }
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}

function fail(message: string) {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}

keepFilesPrivate()
run(process.argv.slice(2)).catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)))
