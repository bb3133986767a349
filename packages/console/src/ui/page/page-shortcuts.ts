import { useEffect } from 'react'

export interface PageShortcut {
  /** What is pressed, such as `['Shift', 'E']`. */
  keys: readonly string[]
  description: string
}

const sources = new Set<{ keys: readonly PageShortcut[] }>()

/** Lists keys in the dialog of all keys, for as long as the caller is on screen. They do something where it has the focus. */
export function useRegisterShortcuts(keys: readonly PageShortcut[]): void {
  useEffect(() => {
    const source = { keys }
    sources.add(source)
    return () => void sources.delete(source)
  }, [keys])
}

/** Each once: two of a kind may be on screen. */
export const pageShortcuts = (): PageShortcut[] => [...new Set([...sources].flatMap(({ keys }) => keys))]
