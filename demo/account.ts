/** Known to everybody: it only ever exists on a site that no other machine can reach. */
export const demoAccount = { username: 'admin', password: 'admin123' } as const
