import { useEffect, useState } from 'react'

/** The value as it was once it had rested for a while: what a filter searches for, as opposed to what is typed. */
export function useDebounced<T>(value: T, delayMs: number): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return rested
}
