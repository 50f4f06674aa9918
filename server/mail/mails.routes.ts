import type { FastifyInstance } from 'fastify'
import { changeMailSettings, dismissMail, type Mail, readMails, retryMail, shownAddress } from '#contract/mails.ts'
import type { MailRow } from '#server/database/tables.ts'
import { noteActivity } from '#server/features/activity/activity.queries.ts'
import { Problem } from '#server/http/problem.ts'
import { serve } from '#server/http/serve.ts'
import type { Site } from '#server/site.ts'
import * as outbox from './outbox.queries.ts'

export function mailRoutes(app: FastifyInstance, { config, database: { db }, clock, mailer }: Site) {
  serve(app, readMails, async ({ admin }) => {
    const isOwner = admin.role === 'owner'
    const { mail } = config
    const [chosen, troubled] = await Promise.all([
      outbox.readMailSettings(db),
      // Others may be about backups and accounts. Helpers see at a message whether its replies were sent.
      isOwner ? outbox.listTroubled(db) : [],
    ])
    return {
      setUp: mail ? { from: shownAddress(mail.from), to: mail.to.map(shownAddress).join(', ') } : null,
      settings: chosen,
      troubled: troubled.map(shownMail),
    }
  })

  serve(app, changeMailSettings, ({ body, admin }) =>
    db.transaction().execute(async (tx) => {
      const before = await outbox.readMailSettings(tx)
      await outbox.changeMailSettings(tx, body)
      const settings = await outbox.readMailSettings(tx)
      // The panel sends its language by itself.
      if (settings.acknowledges !== before.acknowledges)
        await noteActivity(tx, admin, { kind: 'mail_settings_changed' }, clock.now())
      return settings
    }),
  )

  serve(app, retryMail, async ({ params: { id } }) => {
    if (!config.mail) throw new Problem('mail_not_set_up')
    const mail = orNotFound(await outbox.tryAgain(db, id, clock.now()))
    mailer.wake()
    return shownMail(mail)
  })

  serve(app, dismissMail, async ({ params: { id } }) => {
    if (!(await outbox.removeUnsent(db, id))) throw new Problem('mail_not_found')
    return { message: 'Mail given up' }
  })
}

function orNotFound(mail: MailRow | undefined) {
  if (!mail) throw new Problem('mail_not_found')
  return mail
}

function shownMail({ id, kind, state, message, contactId, attempts, lastError, nextAttemptAt, createdAt }: MailRow): Mail {
  const { to, subject } = message
  return { id, kind, state, to, subject, contactId, attempts, lastError, nextAttemptAt, createdAt }
}
