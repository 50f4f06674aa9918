import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ActivityKind } from '#contract/activity.ts'
import {
  changeAddress,
  changeMail,
  changeOffsite,
  changePassphrase,
  changeTimeZone,
  type MailChange,
  type MailServer,
  type OffsiteChange,
  readSettings,
  removeSetting,
  type SettingName,
  sendTestMail,
  tryMail,
} from '#contract/settings.ts'
import { listStoredBackups } from '#server/backup/backup-names.ts'
import { forgetCopies, withBackupsLock } from '#server/backup/backup-state.ts'
import { isOnSameDisk } from '#server/backup/offsite-copies.ts'
import { tryTarget } from '#server/backup/try-target.ts'
import { bareOf, isWithin, type OffsiteSettings } from '#server/config.ts'
import type { Db } from '#server/database/tables.ts'
import { noteActivity } from '#server/features/activity/activity.queries.ts'
import { isForeign } from '#server/http/origin.ts'
import { isLoopbackHost } from '#server/http/own-address.ts'
import { Problem } from '#server/http/problem.ts'
import { serve } from '#server/http/serve.ts'
import type { SignedIn } from '#server/http/sessions.ts'
import { composeTest } from '#server/mail/compose.rules.ts'
import type { MailSettings } from '#server/mail/mailer.ts'
import { readSignature, tryWaitingSoon } from '#server/mail/outbox.queries.ts'
import { sendAtOnce } from '#server/mail/test-mail.ts'
import type { Site } from '#server/site.ts'
import * as queries from './settings.queries.ts'
import {
  isSet,
  keptSecret,
  mailSettingsOf,
  offsiteSettingsOf,
  type StoredSettings,
  shownSettings,
  testedAs,
} from './settings.rules.ts'

const noted: Record<SettingName, ActivityKind> = {
  mail: 'mail_settings_changed',
  address: 'address_changed',
  timeZone: 'time_zone_changed',
  offsite: 'backup_settings_changed',
  passphrase: 'backup_settings_changed',
}

export function settingsRoutes(app: FastifyInstance, site: Site) {
  const { config, database, clock, settings, mailer } = site
  const { db } = database

  serve(app, readSettings, async () => shown(await settings.refresh()))

  serve(app, changeMail, async ({ body, admin }) => {
    const { password, ...value } = body
    const secret = passwordOf(body, await settings.refresh())
    const answer = await change(admin, 'mail', { value, secret }, (tx) => tryWaitingSoon(tx, clock.now()))
    mailer.wake()
    return answer
  })

  serve(app, tryMail, async ({ body }) => {
    const { password: _, ...value } = body
    return sendTest(mailSettingsOf(value, passwordOf(body, await settings.refresh())))
  })

  serve(app, sendTestMail, () => {
    if (!config.mail) throw new Problem('mail_not_set_up')
    return sendTest(config.mail)
  })

  serve(app, changeAddress, async ({ body, admin, request, reply }) => {
    const { hostname, protocol } = new URL(body.url)
    if (!isLoopbackHost(hostname) && (await site.demoAdminActive())) throw new Problem('demo_only_here')
    // From then on the session's cookie goes by https only.
    if (protocol === 'https:' && request.headers.origin !== body.url) throw new Problem('address_not_open_here')
    return changingAddress(request, reply, body.url, () => change(admin, 'address', { value: body }))
  })

  serve(app, changeTimeZone, ({ body, admin }) => change(admin, 'timeZone', { value: body }))

  serve(app, changeOffsite, async ({ body, admin }) => {
    const { secretAccessKey, ...value } = { ...body, ...keyOf(body, await settings.refresh()) }
    const target = offsiteSettingsOf(value, secretAccessKey)
    if (isOwn(target)) throw new Problem('offsite_is_own')
    await tryTarget(target)
    return changingTarget(target, (also) => change(admin, 'offsite', { value, secret: secretAccessKey }, also))
  })

  serve(app, changePassphrase, ({ body: { passphrase }, admin }) =>
    change(admin, 'passphrase', { value: {}, secret: passphrase }),
  )

  serve(app, removeSetting, async ({ params: { name }, admin, request, reply }) => {
    const remove = () => store(admin, name, (tx) => queries.removeSetting(tx, name))
    return name === 'address' ? changingAddress(request, reply, undefined, remove) : remove()
  })

  /** Refuses an address from which the panel could not change it any more. */
  async function changingAddress<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    url: string | undefined,
    make: () => Promise<T>,
  ) {
    if (isForeign(request, url)) throw new Problem('address_not_open_here')
    const answer = await make()
    // Its cookie may have another name by now.
    app.sessions.resend(request, reply)
    return answer
  }

  /** What is known of copies is about the target they are in: in another one they are made again. */
  async function changingTarget<T>(target: OffsiteSettings, make: (also?: (tx: Db) => Promise<void>) => Promise<T>) {
    if (config.offsite && placeOf(config.offsite) === placeOf(target)) return make()
    const stored = (await listStoredBackups(site.storage, clock.now())).map(({ filename }) => filename)
    await site.worker.endBackground()
    return withBackupsLock(database, () => make((tx) => forgetCopies(tx, stored)))
  }

  type New = { value: object; secret?: string | undefined }

  function change(admin: SignedIn, name: SettingName, setting: New, also?: (tx: Db) => Promise<void>) {
    return store(admin, name, async (tx) => {
      await queries.storeSetting(tx, config, { name, ...setting, now: clock.now() })
      await also?.(tx)
    })
  }

  async function store(admin: SignedIn, name: SettingName, write: (tx: Db) => Promise<void>) {
    if (isSet(settings.environment, name)) throw new Problem('set_by_environment')
    await db.transaction().execute(async (tx) => {
      await write(tx)
      await noteActivity(tx, admin, { kind: noted[name] }, clock.now())
    })
    return shown(await settings.refresh())
  }

  async function shown(stored: StoredSettings) {
    return shownSettings(stored, settings.environment, { mail: config.mail, onSameDisk: await isOnSameDisk(config) })
  }

  async function sendTest(mail: MailSettings) {
    const sent = await sendAtOnce(mail, composeTest(await readSignature(db, config)), clock)
    await queries.storeSetting(db, config, { name: 'mailTested', value: { as: testedAs(mail) }, now: clock.now() })
    return sent
  }

  /** In the site's own folder or bucket it would be lost together with the site. */
  function isOwn(target: OffsiteSettings) {
    if (target.kind === 'folder') return isWithin(target.folder, config.dataDir)
    return config.bucket !== undefined && placeOf(target) === placeOf({ kind: 'bucket', bucket: config.bucket })
  }
}

function placeOf(target: OffsiteSettings) {
  if (target.kind === 'folder') return target.folder
  const { endpoint, bucket, prefix } = target.bucket
  return [endpoint?.toLowerCase(), bucket, prefix].map(bareOf).join(' ')
}

function passwordOf({ password, ...mail }: MailChange, { mail: stored }: StoredSettings) {
  if (mail.user === '') return undefined
  const isSame = (value: unknown) => {
    const { host, user } = value as MailServer
    return host === mail.host && user === mail.user
  }
  return keptSecret(stored, isSame, password) ?? lacks('password')
}

function keyOf(target: OffsiteChange, { offsite: stored }: StoredSettings) {
  if (target.kind === 'folder') return { secretAccessKey: undefined }
  const isSame = (value: unknown) => {
    const { endpoint, accessKeyId } = value as typeof target
    return endpoint === target.endpoint && accessKeyId === target.accessKeyId
  }
  return { secretAccessKey: keptSecret(stored, isSame, target.secretAccessKey) ?? lacks('secretAccessKey') }
}

function lacks(field: 'password' | 'secretAccessKey'): never {
  throw new Problem('invalid_input', {
    details: { reason: 'fields', faults: [{ field, fault: 'missing' }] },
    fields: { [field]: 'Type it again.' },
  })
}
