/** What is noted of what people do, in the groups that the list can be filtered by. */
export const activityKinds = {
  access: ['signed_in', 'sign_in_failed', 'signed_out', 'session_ended', 'other_sessions_ended'],
  models: [
    'model_created',
    'model_changed',
    'model_moved',
    'model_deleted',
    'model_restored',
    'model_removed',
    'trash_emptied',
  ],
  site: ['texts_published', 'texts_brought_back', 'site_opened', 'site_closed'],
  messages: ['message_replied', 'message_deleted', 'messages_deleted', 'messages_downloaded'],
  backups: ['backup_made', 'backup_downloaded', 'backup_deleted', 'data_exported', 'data_restored', 'restore_undone'],
  accounts: [
    'account_created',
    'account_deleted',
    'role_changed',
    'password_changed',
    'password_link_sent',
    'password_reset',
    'address_confirmed',
    'address_removed',
    'passkey_added',
    'passkey_removed',
  ],
  settings: ['mail_settings_changed', 'backup_settings_changed'],
} as const satisfies Record<string, readonly string[]>

export type ActivityGroup = keyof typeof activityKinds
export type ActivityKind = (typeof activityKinds)[ActivityGroup][number]

/** In words of the site, never of visitors: the title of a model, the name of an account or a file. */
export type ActivityDetails = { name?: string; count?: number }
