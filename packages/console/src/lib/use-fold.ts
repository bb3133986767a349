import { useLayoutEffect } from 'react'
import { useKeyed } from './use-keyed'

/**
 * Returns `step(input, before)`, where `before` is the result that was last on the screen: for results that cost little
 * to update and much to build. It is kept in a cell and not in React's state, which would render the component twice
 * for each input; the cell is written when a render is committed, so one that is discarded leaves no trace.
 * @param step pure; returns `before` itself when the input is the one that `before` was built from
 * @param key starts without a `before` when it changes
 */
export function useFold<I, R extends object>(step: (input: I, before?: R) => R, input: I, key?: unknown): R {
  const committed = useKeyed(key, createCell<R>)
  const result = step(input, committed.read())
  useLayoutEffect(() => committed.write(result))
  return result
}

function createCell<T>() {
  let value: T | undefined
  return {
    read: () => value,
    write(next: T) {
      value = next
    },
  }
}
