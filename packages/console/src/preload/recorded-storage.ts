/** By key, what a page that is rendered on a server took a preference of the browser for: `null` if it was not stored. */
export type StoredTexts = Readonly<Record<string, string | null>>

/** Beginnings of keys of what is outside the content of a page, or a card of its own that comes with the script. */
const outsideKeys = ['konflux-theme-preference', 'lastUsedNamespace', 'recent-pages', 'context-switcher']

/** Empty storage of a browser that is not known, and what was read of it. */
export function recordedStorage(): { area: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>; read(): StoredTexts } {
  const values = new Map<string, string>()
  const keys = new Set<string>()
  return {
    area: {
      getItem(key) {
        if (!outsideKeys.some((outside) => key.startsWith(outside))) keys.add(key)
        return values.get(key) ?? null
      },
      setItem: (key, value) => void values.set(key, value),
      removeItem: (key) => void values.delete(key),
    },
    read: () => Object.fromEntries([...keys].map((key) => [key, values.get(key) ?? null])),
  }
}
