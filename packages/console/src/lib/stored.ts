import { createEmitter, useStore, type Store } from './store'

/**
 * A preference of this browser: it survives a reload, other tabs see it, and nothing depends on it being there. What
 * another version wrote is told by its shape (docs/adr/0023).
 */
export interface Stored<T> extends Store<T> {
  set(value: T): void
  /** Back to what `parse(undefined)` answers. */
  clear(): void
}

/**
 * @param key in the storage; part of what users have, so never renamed
 * @param parse makes the value of anything at all, `undefined` included: what another version, another program or
 *   a user has put there must not break a screen
 * @param storage `session` for what ends with the tab
 */
export function stored<T>(
  key: string,
  parse: (value: unknown) => T,
  { storage = 'local' }: { storage?: 'local' | 'session' } = {},
): Stored<T> {
  // Looked up per call: where storage is forbidden, looking it up throws.
  const area = () => (storage === 'local' ? localStorage : sessionStorage)
  const changes = createEmitter()
  let text: string | null | undefined
  let value: T
  /** Kept for a browser that forbids storage: the preference then lasts as long as the page. */
  let isForbidden = false
  const read = (): string | null => {
    if (isForbidden) return text ?? null
    try {
      return area().getItem(key)
    } catch {
      return null
    }
  }
  const write = (next: string | null) => {
    try {
      if (next === null) area().removeItem(key)
      else area().setItem(key, next)
    } catch {
      isForbidden = true
    }
    text = next
    value = parse(json(next))
    changes.emit()
  }
  return {
    get() {
      const now = read()
      if (now !== text) {
        text = now
        value = parse(json(now))
      }
      return value
    },
    set: (next) => write(textOf(next)),
    clear: () => write(null),
    subscribe(onChange) {
      const onStorage = (event: StorageEvent) => (event.key === key || event.key === null) && onChange()
      const unsubscribe = changes.subscribe(onChange)
      globalThis.addEventListener('storage', onStorage)
      return () => {
        unsubscribe()
        globalThis.removeEventListener('storage', onStorage)
      }
    },
  }
}

export const useStored = <T>(preference: Stored<T>): readonly [T, (value: T) => void] => [
  useStore(preference),
  preference.set,
]

/** A word is kept as it is, as other consoles of this kind keep it; what would be read as something else, as JSON. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string' && json(value) === value) return value
  return JSON.stringify(value) ?? null
}

function json(text: string | null): unknown {
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
