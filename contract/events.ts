import { endpoint } from './endpoint.ts'

/** What may have changed: the site and its projects, messages and mails, backups and what is worked at. */
export const topics = ['content', 'contacts', 'backups'] as const
export type Topic = (typeof topics)[number]

export const watchChanges = endpoint({
  method: 'GET',
  path: '/api/admin/events',
  access: 'admin',
  summary:
    'Server-sent events: each names a topic that has changed (content, contacts or backups). 204 when too many are open.',
})
