import { nameOf } from '@slipway/kube/object'
import { newestFirst } from '@slipway/model/newest'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import { originOfSnapshot, pullRequestsIn, referenceOf } from '@slipway/model/snapshots/snapshot-origin'
import { useMemo, useState } from 'react'
import { failureText } from '../../api/messages'
import { type ContextItem, ContextSwitcher } from '../../ui/page/ContextSwitcher'

interface BaselineSwitcherProps {
  /** `undefined` while it is not known, or if there is none. */
  name: string | undefined
  isLoading: boolean
  /** The snapshots to select from; `undefined` until they have loaded. */
  others: readonly Snapshot[] | undefined
  /** Why there are none to select from. */
  error: Error | null
  onSelect: (name: string) => void
}

/** Selects the snapshot to compare with. */
export function BaselineSwitcher({ name, isLoading, others, error, onSelect }: BaselineSwitcherProps) {
  // An application may have thousands, whose descriptions take some 100 ms; most users compare with the default one.
  const [wasOpened, setWasOpened] = useState(false)
  const items = useMemo(() => (wasOpened && others ? choicesOf(others) : undefined), [wasOpened, others])
  return (
    <ContextSwitcher
      resourceType="baseline"
      noun="baseline"
      selected={{ key: name ?? '', name: name ?? (isLoading ? '…' : 'none') }}
      items={items}
      failure={error && failureText(error)}
      onOpen={() => setWasOpened(true)}
      onSelect={({ key }) => onSelect(key)}
    />
  )
}

/** Newest first, with their commits, since names are hardly more than times, and marked unless a push created them. */
const choicesOf = (snapshots: readonly Snapshot[]): ContextItem[] =>
  [...snapshots]
    .sort(newestFirst)
    .map((snapshot) => ({ key: nameOf(snapshot), name: nameOf(snapshot), description: descriptionOf(snapshot) }))

function descriptionOf(snapshot: Snapshot): string | undefined {
  const origin = originOfSnapshot(snapshot)
  // Those of a group may have the same number in several repositories.
  const numbers = new Set(pullRequestsIn(snapshot).map(({ number }) => `#${number}`))
  const mark = origin === 'Push' ? undefined : [origin, [...numbers].join(', ')].filter(Boolean).join(' ')
  return [mark, referenceOf(snapshot).shaTitle].filter(Boolean).join(': ') || undefined
}
