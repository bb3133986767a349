import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Returns a ref to the value of the last render, for handlers that are called later; the ref is always the same. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}
