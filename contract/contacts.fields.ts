/** What the contact form offers; on purpose not the gallery's categories. */
export const projectTypes = ['locomotive', 'aircraft', 'ship', 'automotive', 'militaryVehicles', 'custom'] as const
export type ProjectType = (typeof projectTypes)[number]

export const contactLimits = { name: 120, email: 254, message: 5_000 } as const

/** What the form sends. People never see the last one; robots fill it in. */
export const contactFields = ['name', 'email', 'projectType', 'message', 'website'] as const

export const contactPath = '/api/contact'

/** Where contacts are read, and the key under which they are cached: sending one invalidates it. */
export const contactsPath = '/api/contacts'
