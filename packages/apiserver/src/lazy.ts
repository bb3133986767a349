/** Computes a value on first use and caches it. */
export function lazy<T>(compute: () => T): () => T {
  let cached: { value: T } | undefined
  return () => (cached ??= { value: compute() }).value
}
