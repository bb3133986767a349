import { useState } from 'react'

/** Returns what was created for a key, until the key changes. React may discard a memo; it never discards this. */
export function useKeyed<T>(key: unknown, create: () => T): T {
  const [current, setCurrent] = useState(() => ({ key, value: create() }))
  if (Object.is(current.key, key)) return current.value
  const next = { key, value: create() }
  setCurrent(next)
  return next.value
}
