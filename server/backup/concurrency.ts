/** Works on so many items at a time. The first failure ends it, once the work that has begun is done. */
export async function forEachConcurrently<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<void>,
) {
  // Shared by all workers. One that fails leaves its loop, which closes the queue for the others.
  const queue = eachOf(items)
  const worker = async () => {
    for await (const item of queue) await work(item)
  }
  const results = await Promise.allSettled(Array.from({ length: concurrency }, worker))
  const failure = results.find((result) => result.status === 'rejected')
  if (failure) throw failure.reason
}

async function* eachOf<Item>(items: Iterable<Item> | AsyncIterable<Item>) {
  yield* items
}
