// Without zod: the form is shown before that has arrived.

/** What the contact form offers; on purpose not the gallery's categories. */
export const projectTypes = ['locomotive', 'aircraft', 'ship', 'automotive', 'militaryVehicles', 'custom'] as const
export type ProjectType = (typeof projectTypes)[number]

export const contactLimits = { name: 120, email: 254, message: 5_000, reply: 20_000 } as const

/** What the form sends. The last one is hidden: only robots fill it in. */
export const contactFields = ['name', 'email', 'projectType', 'message', 'website'] as const

/** Photos a visitor may send along. */
export const mostContactPhotos = 4
/** Of one photo, a visitor's or the maker's. */
export const maxImageBytes = 10_485_760

export const contactPath = '/api/contact'
export const contactPhotosPath = '/api/contact/photos'
