import { expect, onTestFinished } from 'vitest'
import type { AccessCheck } from '../src/api/access/access-review'
import { queryClient } from '../src/api/query-client'

/** Links depend on what may be read, often in a namespace that only a response names. */
const reading: readonly unknown[] = ['get', 'list', 'watch'] satisfies AccessCheck['verb'][]

/**
 * Returns the permissions, such as `create releases`, for which a page has rendered an action before its loader had
 * started to check them. What dialogs and popups offer is checked when they open.
 */
export function collectUncheckedActions(): readonly string[] {
  const unchecked: string[] = []
  const stop = queryClient.getQueryCache().subscribe((event) => {
    // Loaders that wait for a check observe it too, without requesting it by that (`query-client.ts`).
    if (event.type !== 'observerAdded' || event.observer.options.enabled === false) return
    const { queryKey, state } = event.query
    const [key, , , plural, , verb] = queryKey
    if (key !== 'access' || reading.includes(verb)) return
    const isStarted = state.fetchStatus !== 'idle' || state.dataUpdateCount + state.errorUpdateCount > 0
    if (!isStarted && !document.querySelector('[role=dialog]')) unchecked.push(`${verb} ${plural}`)
  })
  onTestFinished(stop)
  return unchecked
}

/** Fails a test whose page renders actions that its loader does not check: they would be disabled for a moment. */
export function expectNoUncheckedActions(): void {
  const unchecked = collectUncheckedActions()
  onTestFinished(() =>
    expect([...unchecked], 'A loader does not check what the actions of its page need (`actionChecks`)').toEqual([]),
  )
}
