/** What the contact form offers; on purpose not the gallery's categories. */
export const projectTypes = ['locomotive', 'aircraft', 'ship', 'automotive', 'militaryVehicles', 'custom'] as const
export type ProjectType = (typeof projectTypes)[number]

/** A restored message may have any text as its type, `constructor` among them. */
export function projectTypeName(names: Readonly<Record<string, string>>, type: string) {
  return (Object.hasOwn(names, type) && names[type]) || type
}

export const contactLimits = { name: 120, email: 254, message: 5_000, reply: 20_000 } as const

/** What the form sends. People never see the last one; robots fill it in. */
export const contactFields = ['name', 'email', 'projectType', 'message', 'website'] as const

/** Photos a visitor may send along. */
export const mostContactPhotos = 4
/** As large as the maker's, which are measured in a file that needs zod. */
export const maxContactPhotoBytes = 10_485_760

/** To one message: it must fit into a backup with all of them. */
export const mostReplies = 100

/** Spam is kept out of sight; of the others, new ones wait for an answer. */
export const contactStates = ['new', 'answered', 'quoted', 'closed', 'spam'] as const
export type ContactState = (typeof contactStates)[number]

/** What made a message look like spam. */
export const spamReasons = ['hidden_field', 'too_fast', 'many_links', 'known_pattern', 'marked'] as const
export type SpamReason = (typeof spamReasons)[number]

/** What the site promises. */
export const answerWithinHours = 48
/** With fewer left a message is urgent. */
export const urgentBelowHours = 12

export const contactPath = '/api/contact'
export const contactPhotosPath = '/api/contact/photos'

/** Where contacts are read, and the key under which they are cached: sending one invalidates it. */
export const contactsPath = '/api/contacts'
