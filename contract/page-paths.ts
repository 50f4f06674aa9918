/** Where the panel is, for the public page, which needs no more of it. */
export const adminPath = '/admin'
export const signInPath = '/admin/login'
