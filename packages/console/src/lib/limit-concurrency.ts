/** Runs a task for each item, in order and at most `limit` at a time; rejects as soon as one of them does. */
export async function limitConcurrency<T>(
  items: readonly T[],
  limit: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  // The workers share an iterator: each takes the next item.
  const queue = items.values()
  const work = async () => {
    for (const item of queue) await run(item)
  }
  await Promise.all(Array.from({ length: limit }, work))
}

/** Returns a function that runs tasks in the order of its calls, at most `limit` at a time. */
export function createLimiter(limit: number): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (task) => {
    if (running < limit) running++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
