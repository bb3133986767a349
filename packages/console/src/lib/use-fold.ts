import { useLayoutEffect } from 'react'
import { useKeyed } from './use-keyed'

/**
 * Returns `step(input, before)`, where `before` is the result of the last committed render: for results that are cheap
 * to update and expensive to build. It is stored in a cell and not in React's state, which would render the component
 * twice for each input; the cell is written when a render is committed, so a discarded render has no effect.
 * @param step pure; returns `before` itself if the input is the one that `before` was built from
 * @param key a change of it discards `before`
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
