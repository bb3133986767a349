import type { Secret } from '@slipway/kube/core-types'
import { uidOf } from '@slipway/kube/object'
import { stored, type Stored } from '../lib/stored'

/** Which tabs of this browser work on link tasks. What other browsers do cannot be known. */

const browserId: Stored<string> = stored('link-task-browser', (value) => (typeof value === 'string' ? value : ''))

/** A random id, by which a task that is recorded on a secret is recognized as one of this browser. */
export function thisBrowser(): string {
  if (browserId.get() === '') {
    const bytes = crypto.getRandomValues(new Uint8Array(8))
    // Never parsed as a number, so that it stays text in the storage.
    browserId.set(`b-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`)
  }
  return browserId.get()
}

// Browsers have locks only on secure pages.
const locks = () => globalThis.navigator.locks as LockManager | undefined

const prefix = 'link-task '

/** Shows other tabs of this browser that this one works on a task of the secret. Returns a function that ends this. */
export function holdTask(secret: Secret): () => void {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  void locks()?.request(prefix + uidOf(secret), { mode: 'shared' }, () => held)
  return release
}

/** The uids of the secrets of which a tab of this browser has a task; `undefined` if the browser has no locks. */
export async function fetchHeldTasks(): Promise<ReadonlySet<string> | undefined> {
  const state = await locks()?.query()
  return (
    state && new Set(state.held?.flatMap(({ name }) => (name?.startsWith(prefix) ? name.slice(prefix.length) : [])))
  )
}
