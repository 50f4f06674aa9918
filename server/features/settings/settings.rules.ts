import { maker } from '#content/maker.ts'
import { mailAddressesIn, mailAddressIn, shownAddress } from '#contract/mails.ts'
import {
  type MailServer,
  mailServer,
  type Offsite,
  offsite,
  type SettingName,
  type Settings as ShownSettings,
  settingNames,
  siteAddress,
  timeZoneChosen,
} from '#contract/settings.ts'
import { bareOf, type OffsiteSettings, type Settings } from '#server/config.ts'
import type { MailSettings } from '#server/mail/mailer.ts'
import type { BucketSettings } from '#server/storage/s3.ts'

type Stored = { value: unknown; secret: string | undefined; setAt: string; isLost: boolean }
export type StoredSettings = Partial<Record<SettingName | 'mailTested', Stored>>

/** Settings that the environment leaves open, as they are set in the panel. One that this release cannot read is left out. */
export function settingsIn(stored: StoredSettings, environment: Settings): Settings {
  const lost = settingNames.filter((name) => stored[name]?.isLost && !isSet(environment, name))
  const usable = (name: SettingName) => (lost.includes(name) ? undefined : stored[name])
  const zone = timeZoneChosen.safeParse(stored.timeZone?.value)
  const url = siteAddress.safeParse(stored.address?.value)
  const passphrase = usable('passphrase')?.secret
  return {
    mail: environment.mail ?? mailIn(usable('mail')),
    publicUrl: environment.publicUrl ?? url.data?.url,
    timeZone: zone.data?.timeZone ?? maker.timeZone,
    // Not unencrypted where they were to be encrypted.
    offsite: lost.includes('passphrase') ? undefined : (environment.offsite ?? offsiteIn(usable('offsite'))),
    backupSecret: environment.backupSecret ?? (passphrase ? { passphrase } : undefined),
    lost,
  }
}

/** Whether the environment has it. */
export function isSet({ mail, publicUrl, offsite: copies, backupSecret }: Settings, name: SettingName) {
  return { mail, address: publicUrl, timeZone: undefined, offsite: copies, passphrase: backupSecret }[name] !== undefined
}

function mailIn(stored: Stored | undefined) {
  const read = mailServer.safeParse(stored?.value)
  return read.success ? mailSettingsOf(read.data, stored?.secret) : undefined
}

export function mailSettingsOf({ host, port, secure, user, from, to }: MailServer, password = ''): MailSettings {
  return {
    server: { host, port, secure, credentials: user ? { user, pass: password } : undefined },
    from: mailAddressIn(from) ?? { name: '', address: from },
    to: mailAddressesIn(to) ?? [],
  }
}

function offsiteIn(stored: Stored | undefined) {
  const read = offsite.safeParse(stored?.value)
  return read.success ? offsiteSettingsOf(read.data, stored?.secret) : undefined
}

export function offsiteSettingsOf(target: Offsite, secretAccessKey = ''): OffsiteSettings {
  if (target.kind === 'folder') return target
  const { bucket, endpoint, region, accessKeyId, pathStyle, prefix } = target
  const folder = bareOf(prefix)
  return {
    kind: 'bucket',
    bucket: {
      ...{ bucket, endpoint: endpoint || undefined, region, pathStyle, publicUrl: undefined },
      credentials: { accessKeyId, secretAccessKey },
      prefix: folder ? `${folder}/` : '',
    },
  }
}

/** What a test mail went out with: for others it says nothing. */
export function testedAs({ server: { host, port, credentials }, from, to }: MailSettings) {
  return [host, port, credentials?.user, from.address, ...to.map(({ address }) => address)].join(' ')
}

export function isTested(stored: Pick<Stored, 'value'> | undefined, mail: MailSettings | undefined) {
  return mail !== undefined && (stored?.value as { as?: string } | undefined)?.as === testedAs(mail)
}

type Live = { mail: MailSettings | undefined; onSameDisk: boolean }

/** For the panel: without any password. */
export function shownSettings(stored: StoredSettings, environment: Settings, live: Live): ShownSettings {
  const { mail, publicUrl, offsite: copies, backupSecret } = environment
  function shown<Value>(name: SettingName, read: { data?: Value | undefined }, given: Value | undefined) {
    const { secret, isLost = false, setAt = null } = stored[name] ?? {}
    const isGiven = given !== undefined
    const value = given ?? read.data ?? null
    return {
      source: isGiven ? ('environment' as const) : value === null ? null : ('panel' as const),
      value,
      secretSetAt: isGiven || secret === undefined ? null : setAt,
      isLost: !isGiven && isLost,
    }
  }
  return {
    mail: shown('mail', mailServer.safeParse(stored.mail?.value), mail && shownMail(mail)),
    mailTestedAt: isTested(stored.mailTested, live.mail) ? (stored.mailTested?.setAt ?? null) : null,
    address: shown('address', siteAddress.safeParse(stored.address?.value), publicUrl ? { url: publicUrl } : undefined),
    timeZone: shown('timeZone', timeZoneChosen.safeParse(stored.timeZone?.value), undefined),
    offsite: shown('offsite', offsite.safeParse(stored.offsite?.value), copies && shownOffsite(copies)),
    onSameDisk: live.onSameDisk,
    passphrase: shown('passphrase', { data: stored.passphrase && {} }, backupSecret && {}),
  }
}

function shownMail({ server: { host, port, secure, credentials }, from, to }: MailSettings): MailServer {
  return {
    ...{ host, port, secure, user: credentials?.user ?? '' },
    ...{ from: shownAddress(from), to: to.map(shownAddress).join(', ') },
  }
}

function shownOffsite(target: OffsiteSettings): Offsite {
  return target.kind === 'folder' ? target : { kind: 'bucket', ...shownBucket(target.bucket) }
}

function shownBucket({ bucket, endpoint = '', region, pathStyle, prefix, credentials }: BucketSettings) {
  return { bucket, endpoint, region, pathStyle, prefix, accessKeyId: credentials?.accessKeyId ?? '' }
}

/** The password of a change: the stored one where none was typed, for the same user of the same server only. */
export function keptSecret(stored: Stored | undefined, isSame: (value: unknown) => boolean, typed: string | undefined) {
  if (typed !== undefined && typed !== '') return typed
  return stored && isSame(stored.value) ? stored.secret : undefined
}
