import { basePath } from './base-path'
import { createEmitter, useStore, type Store } from './store'

/**
 * A preference of this browser: it survives a reload, other tabs see it, and nothing depends on its existence. A value
 * from another version is recognized by its shape (docs/adr/0023).
 */
export interface Stored<T> extends Store<T> {
  set(value: T): void
  /** Resets it to `parse(undefined)`. */
  clear(): void
}

/**
 * @param name key in the storage; users have stored values under it, so it is never renamed. Below a path the path comes
 *   first, since other consoles may share the origin
 * @param parse accepts any value, including `undefined`: what another version, another program or a user has stored
 *   must not break a screen
 * @param storage `session` for a value that lasts as long as the tab
 * @param suffix of the key, read in each call, for a value that each user has of their own
 */
export function stored<T>(
  name: string,
  parse: (value: unknown) => T,
  { storage = 'local', suffix }: { storage?: 'local' | 'session'; suffix?: () => string } = {},
): Stored<T> {
  const key = () => basePath + name + (suffix ? suffix() : '')
  // Accessed in each call, since access throws where storage is forbidden.
  const area = () => (storage === 'local' ? localStorage : sessionStorage)
  const changes = createEmitter()
  let text: string | null | undefined
  let value: T
  /** Whether the browser forbids storage: the preference then lasts until the page is closed. */
  let isForbidden = false
  const read = (): string | null => {
    if (isForbidden) return text ?? null
    try {
      return area().getItem(key())
    } catch {
      return null
    }
  }
  const write = (next: string | null) => {
    try {
      if (next === null) area().removeItem(key())
      else area().setItem(key(), next)
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
      const onStorage = (event: StorageEvent) => (event.key === key() || event.key === null) && onChange()
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

/** Plain text is stored as it is, like in other consoles of this kind; as JSON if it would parse as another value. */
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
