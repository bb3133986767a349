import { asArray } from '@slipway/kube/parse'
import { userSuffix } from '../../api/session/session'
import { stored } from '../../lib/stored'

/** Namespaces that come first on the overview, the latest first. */
export const pinnedNamespaces = stored<readonly string[]>(
  'pinned-namespaces',
  (value) => asArray(value).filter((name): name is string => typeof name === 'string'),
  { suffix: userSuffix },
)

export function togglePinned(namespace: string): void {
  const pinned = pinnedNamespaces.get()
  const others = pinned.filter((each) => each !== namespace)
  pinnedNamespaces.set(others.length < pinned.length ? others : [namespace, ...others])
}
