/** Of one step: given up when nothing has got on for so long, or when the site is being stopped. */
export type Step = { signal: AbortSignal; alive(): void }

/** A place that hangs is not waited for. */
export async function whileAlive<T>(
  { idleLimit, signal }: { idleLimit: number; signal?: AbortSignal | undefined },
  work: (step: Step) => Promise<T>,
): Promise<T> {
  const step = new AbortController()
  const timer = setTimeout(() => step.abort(new Error(`Nothing has got on for ${idleLimit} ms.`)), idleLimit).unref()
  const either = signal ? AbortSignal.any([signal, step.signal]) : step.signal
  const givenUp = new Promise<never>((_resolve, reject) => {
    either.addEventListener('abort', () => reject(either.reason), { once: true })
  })
  try {
    either.throwIfAborted()
    return await Promise.race([work({ signal: either, alive: () => timer.refresh() }), givenUp])
  } finally {
    clearTimeout(timer)
  }
}
