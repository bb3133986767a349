import type { ObjectMeta } from '@slipway/kube/object'
import { pods } from '../builtin/pods'
import { logsOfPod } from '../logs/pod-logs'
import { collectionOf } from '../registry/resource'
import type { Controller, ControllerParts } from './controllers'

/** Removes the logs of pods that are gone. */
export function podLogCleanup({ storage }: Pick<ControllerParts, 'storage'>): Controller {
  const collection = collectionOf(pods.type)
  const due = new Set<string>()
  const uidOf = (value: string) => (JSON.parse(value) as { metadata: ObjectMeta }).metadata.uid ?? '' // Stored by us.

  // Pods may have gone right before the server was stopped.
  const known = new Set(storage.list(collection).map(({ value }) => uidOf(value)))
  for (const log of storage.logs.names('')) {
    const uid = log.slice(0, log.indexOf('/'))
    if (!known.has(uid)) due.add(uid)
  }

  return {
    observe(change) {
      if (change.collection !== collection || change.type !== 'deleted') return false
      due.add(uidOf(change.value))
      return true
    },
    async reconcile() {
      for (const uid of due) {
        due.delete(uid)
        for (const log of storage.logs.names(logsOfPod(uid))) storage.logs.remove(log)
      }
    },
  }
}
