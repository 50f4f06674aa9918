import pg from 'pg'

const retryAfter = 1_000

/**
 * Hears what other processes announce. A connection that breaks is made anew; because something may have been said
 * meanwhile, being back counts as having heard.
 */
export function listenToPostgres(url: string, channel: string, heard: () => void): { stop(): Promise<void> } {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function connect() {
    const next = new pg.Client({ connectionString: url, application_name: 'vitrina listening', keepAlive: true })
    client = next
    next.on('error', () => lost(next))
    next.on('end', () => lost(next))
    next.on('notification', heard)
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
      heard()
    } catch {
      lost(next)
    }
  }

  function lost(which: pg.Client) {
    if (stopped || client !== which) return
    client = undefined
    void which.end().catch(() => {})
    timer = setTimeout(connect, retryAfter)
    timer.unref()
  }

  const first = connect()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await first
      await client?.end()
    },
  }
}
