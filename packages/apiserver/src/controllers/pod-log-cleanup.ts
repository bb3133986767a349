import { pods } from '../builtin/pods'
import { logsOfPod } from '../kubelet/pod-logs'
import { metadataOf } from '../registry/objects'
import { collectionOf } from '../resource'
import type { Controller, ControllerParts } from './controllers'

/** Removes the logs of deleted pods. */
export function podLogCleanup({ storage }: Pick<ControllerParts, 'storage'>): Controller {
  const collection = collectionOf(pods.type)
  const due = new Set<string>()

  // Pods may have been deleted right before the server stopped.
  const known = new Set(storage.list(collection).map(({ value }) => metadataOf(value).uid))
  for (const log of storage.logs.names('')) {
    const uid = log.slice(0, log.indexOf('/'))
    if (!known.has(uid)) due.add(uid)
  }

  return {
    observe(change, metadata) {
      if (change.collection !== collection || change.type !== 'deleted') return false
      due.add(metadata().uid ?? '')
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
