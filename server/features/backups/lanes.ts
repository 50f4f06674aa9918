/** Does the work for each item, a few at a time, and stops at the first failure once what was begun has ended. */
export async function inLanes<Item, Lane>(
  items: readonly Item[],
  lanes: readonly Lane[],
  work: (item: Item, lane: Lane) => Promise<void>,
) {
  let next = 0
  let failed = false
  const run = async (lane: Lane) => {
    for (let item = items[next]; item !== undefined && !failed; item = items[next]) {
      next += 1
      await work(item, lane).catch((error: unknown) => {
        failed = true
        throw error
      })
    }
  }
  const results = await Promise.allSettled(lanes.map(run))
  const failure = results.find((result) => result.status === 'rejected')
  if (failure) throw failure.reason
}
