/** A map with a size limit that evicts the least recently used entry. */
export interface LruCache<V> {
  get(key: string): V | undefined
  set(key: string, value: V): void
}

export function lruCache<V>(limit: number): LruCache<V> {
  const values = new Map<string, V>()
  function set(key: string, value: V) {
    values.delete(key)
    values.set(key, value)
    const [oldest] = values.keys()
    if (values.size > limit && oldest !== undefined) values.delete(oldest)
  }
  return {
    get(key) {
      const value = values.get(key)
      if (value !== undefined) set(key, value)
      return value
    },
    set,
  }
}
