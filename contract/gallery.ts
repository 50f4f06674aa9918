export const categories = ['locomotive', 'aircraft', 'ships', 'automotive', 'military', 'figures'] as const
export type Category = (typeof categories)[number]

/** How many models the gallery shows at first, and adds at a time. */
export const galleryPage = 24

/** How many of them the address of a page may ask for at once. */
export const galleryMost = 240

export const projectsPath = '/api/projects'
export const projectPath = '/api/projects/:id'
export const countsPath = '/api/projects/counts'
