/** Where the panel is, for the public page, which needs no more of it. */
export const adminPath = '/admin'
export const signInPath = '/admin/login'

/** Names the message that the panel opens with: `/admin?message=<id>`, as mails have it. Signing in keeps it. */
export const contactKey = 'inquiry'
