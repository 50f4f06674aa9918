import { type Kysely, sql } from 'kysely'
import { columnTypes, type Dialect } from '../dialect.ts'

/**
 * An inquiry has a state, replies, a private note, photos and what it is about; the mails it causes lie in an outbox until
 * they are sent. Nobody knows which inquiries of before were answered: those of the last thirty days are new, the others closed,
 * so that years of them do not stand before the ones that wait.
 */
export async function everyInquiryAnswered(db: Kysely<unknown>, dialect: Dialect) {
  const type = columnTypes[dialect]
  const inquiries = db.schema.alterTable('contact_messages')
  await inquiries.addColumn('state', 'text', (column) => column.notNull().defaultTo('new')).execute()
  await inquiries.addColumn('language', 'text').execute()
  await inquiries.addColumn('about_id', type.uuid).execute()
  await inquiries.addColumn('about_title', 'text').execute()
  await inquiries.addColumn('note', 'text').execute()
  await inquiries.addColumn('spam_reason', 'text').execute()
  await inquiries.addColumn('changed_at', type.moment).execute()
  const aMonthAgo =
    dialect === 'postgres' ? sql`now() - interval '30 days'` : sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-30 days')`
  await sql`update contact_messages set state = 'closed' where created_at < ${aMonthAgo}`.execute(db)

  await db.schema
    .createTable('contact_replies')
    .addColumn('id', type.uuid, (column) => column.primaryKey().notNull())
    .addColumn('contact_id', type.uuid, (column) => column.notNull().references('contact_messages.id').onDelete('cascade'))
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('created_at', type.moment, (column) => column.notNull().defaultTo(type.now))
    .addColumn('sent_at', type.moment)
    .execute()
  await db.schema
    .createIndex('contact_replies_of_contact')
    .on('contact_replies')
    .columns(['contact_id', 'created_at', 'id'])
    .execute()

  await db.schema
    .createTable('contact_photos')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    // Null until the inquiry is sent; again when it is deleted, until the file is swept.
    .addColumn('contact_id', type.uuid, (column) => column.references('contact_messages.id').onDelete('set null'))
    .addColumn('position', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('content_type', 'text', (column) => column.notNull())
    .addColumn('bytes', 'integer', (column) => column.notNull())
    .addColumn('width', 'integer', (column) => column.notNull())
    .addColumn('height', 'integer', (column) => column.notNull())
    .addColumn('created_at', type.moment, (column) => column.notNull().defaultTo(type.now))
    .execute()
  await db.schema
    .createIndex('contact_photos_of_contact')
    .on('contact_photos')
    .columns(['contact_id', 'position', 'id'])
    .execute()
  await db.schema.createIndex('contact_photos_hash').on('contact_photos').column('hash').execute()
  // Before each photo that is taken, those that are kept are added up.
  await db.schema.createIndex('contact_photos_bytes').on('contact_photos').column('bytes').execute()

  await db.schema
    .createTable('outbox')
    .addColumn('id', type.uuid, (column) => column.primaryKey().notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('contact_id', type.uuid, (column) => column.references('contact_messages.id').onDelete('set null'))
    .addColumn('reply_id', type.uuid, (column) => column.references('contact_replies.id').onDelete('set null'))
    .addColumn('message', type.json, (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull().defaultTo('waiting'))
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('next_attempt_at', type.moment, (column) => column.notNull())
    .addColumn('last_error', 'text')
    .addColumn('created_at', type.moment, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('outbox_due').on('outbox').columns(['state', 'next_attempt_at', 'id']).execute()
  await db.schema.createIndex('outbox_of_contact').on('outbox').column('contact_id').execute()
  await db.schema.createIndex('outbox_of_reply').on('outbox').column('reply_id').execute()

  const site = db.schema.alterTable('site')
  await site.addColumn('acknowledges', type.boolean, (column) => column.notNull().defaultTo(sql`false`)).execute()
  await site.addColumn('panel_language', 'text', (column) => column.notNull().defaultTo('en')).execute()
  await site.addColumn('reminded_at', type.moment).execute()

  await db.schema.dropIndex('contact_messages_newest').execute()
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(name).on('contact_messages').columns(columns).execute()
  // With the state: lists without spam are counted and paged without reading the texts.
  await index('contact_messages_newest', ['created_at desc', 'id', 'state'])
  await index('contact_messages_of_state', ['state', 'created_at desc', 'id'])
}
