import type { SettingName } from '#contract/settings.ts'
import type { Config, Settings } from '#server/config.ts'
import type { Db } from '#server/database/tables.ts'
import { decryptSecret, encryptSecret } from './secrets.ts'
import { isTested, type StoredSettings, settingsIn } from './settings.rules.ts'

/** What was set in the panel, with its passwords. */
async function readStored(db: Db, config: Config): Promise<StoredSettings> {
  const rows = await db.selectFrom('settings').selectAll().execute()
  return Object.fromEntries(
    rows.map(({ name, value, secret: encrypted, setAt }) => {
      const secret = encrypted === null ? undefined : decryptSecret(encrypted, name, config)
      return [name, { value, secret, setAt, isLost: encrypted !== null && secret === undefined }]
    }),
  )
}

type NewSetting = { name: SettingName | 'mailTested'; value: object; secret?: string | undefined; now: Date }

export async function storeSetting(db: Db, config: Config, { name, value, secret, now }: NewSetting) {
  const row = {
    value: JSON.stringify(value),
    secret: secret === undefined ? null : encryptSecret(secret, name, config),
    setAt: now.toISOString(),
  }
  await db
    .insertInto('settings')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute()
}

export async function removeSetting(db: Db, name: SettingName) {
  await db.deleteFrom('settings').where('name', '=', name).execute()
}

/** Whether a test mail went out by the mail server that is set. */
export async function isMailTested(db: Db, { mail }: Pick<Config, 'mail'>) {
  return isTested(await db.selectFrom('settings').select('value').where('name', '=', 'mailTested').executeTakeFirst(), mail)
}

export type LiveSettings = {
  /** What the environment sets. */
  environment: Settings
  /** Takes up what is set in the panel now. */
  refresh(): Promise<StoredSettings>
}

/** Keeps the settings in `config` as they are in the environment and the panel. */
export async function followSettings(db: Db, config: Config): Promise<LiveSettings> {
  const { mail, publicUrl, timeZone, offsite, backupSecret, lost } = config
  const environment = { mail, publicUrl, timeZone, offsite, backupSecret, lost }
  // One after the other: an older answer must not replace a newer one.
  let last: Promise<unknown> = Promise.resolve()
  const refresh = () => {
    const read = last.then(async () => {
      const stored = await readStored(db, config)
      const next = settingsIn(stored, environment)
      // What is the same stays the same object: the mailer sees by it whether it works for the present server.
      const isOther = ([name, value]: [string, unknown]) =>
        JSON.stringify(value) !== JSON.stringify(config[name as keyof Settings])
      Object.assign(config, Object.fromEntries(Object.entries(next).filter(isOther)))
      return stored
    })
    last = read.catch(() => {})
    return read
  }
  await refresh()
  return { environment, refresh }
}
