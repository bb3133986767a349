import { useEffect } from 'react'

export interface PageKey {
  /** What is pressed, such as `['Shift', 'E']`. */
  keys: readonly string[]
  does: string
}

const sources = new Set<{ keys: readonly PageKey[] }>()

/** Lists keys in the dialog of all keys, for as long as the caller is on screen. They do something where it has the focus. */
export function useOfferedKeys(keys: readonly PageKey[]): void {
  useEffect(() => {
    const source = { keys }
    sources.add(source)
    return () => void sources.delete(source)
  }, [keys])
}

/** Each once: two of a kind may be on screen. */
export const pageKeys = (): PageKey[] => [...new Set([...sources].flatMap(({ keys }) => keys))]
