/** Known to everybody: while it works, the panel answers browsers of its own machine only. */
export const demoAdmin = { username: 'admin', password: 'admin123' } as const
