import { asArray, asRecord } from '@slipway/kube/parse'
import { stored } from '../../lib/stored'

/** What the switchers of namespaces and the like remember, each under the name of what it switches. */
interface ContextMemory {
  /** Keys of what was chosen, the latest first. */
  recentItems: Record<string, string[]>
  /** 0 for Recent, 1 for All. */
  lastTab: Record<string, 0 | 1>
}

const recentAtMost = 5

export const contextMemory = stored<ContextMemory>('context-switcher', (value) => {
  const { recentItems, lastTab } = asRecord(value)
  return {
    recentItems: entries(recentItems, (keys) => asArray(keys).filter(isText).slice(0, recentAtMost)),
    lastTab: entries(lastTab, (tab) => (tab === 0 ? 0 : 1)),
  }
})

/** @param keys the latest first */
export function rememberRecent(resourceType: string, ...keys: string[]): void {
  const { recentItems, lastTab } = contextMemory.get()
  const recent = [...new Set([...keys, ...(recentItems[resourceType] ?? [])])].slice(0, recentAtMost)
  contextMemory.set({ recentItems: { ...recentItems, [resourceType]: recent }, lastTab })
}

export function rememberTab(resourceType: string, tab: 0 | 1): void {
  const { recentItems, lastTab } = contextMemory.get()
  contextMemory.set({ recentItems, lastTab: { ...lastTab, [resourceType]: tab } })
}

const isText = (value: unknown): value is string => typeof value === 'string'

const entries = <T>(value: unknown, read: (value: unknown) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(asRecord(value)).map(([key, item]) => [key, read(item)]))
