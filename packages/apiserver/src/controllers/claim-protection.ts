import { isRecord } from '@slipway/kube/object'
import { recordsIn } from '../builtin/pod-defaults'
import { claimFinalizer, persistentVolumeClaims } from '../builtin/persistentvolumeclaims'
import { pods } from '../builtin/pods'
import { isBeingDeleted, objectOf } from '../registry/objects'
import { collectionOf, keyOf, type AnyObject } from '../registry/resource'
import { serverWriteOptions } from '../registry/writer'
import type { Controller, ControllerParts } from './controllers'
import { unlessGone } from './definition-cleanup'

const claims = collectionOf(persistentVolumeClaims.type)
const podCollection = collectionOf(pods.type)

/**
 * Lets a claim that is being deleted go when no pod uses it any more.
 * Source: pkg/controller/volume/pvcprotection of Kubernetes.
 */
export function claimProtection({ storage, writer }: ControllerParts): Controller {
  return {
    observe: ({ collection, type }) => collection === claims || (collection === podCollection && type === 'deleted'),
    async reconcile() {
      for (const stored of storage.list(claims)) {
        if (!isBeingDeleted(stored.value)) continue
        const { metadata } = objectOf(persistentVolumeClaims, stored)
        const { namespace, name = '', finalizers = [] } = metadata
        if (!finalizers.includes(claimFinalizer) || isUsed(namespace ?? '', name)) continue
        const without = (claim: AnyObject) => ({
          ...claim,
          metadata: { ...claim.metadata, finalizers: finalizers.filter((finalizer) => finalizer !== claimFinalizer) },
        })
        const target = { info: persistentVolumeClaims, namespace, name }
        await writer
          .update(target, (current) => without(current()), { ...serverWriteOptions, retries: 5 })
          .catch(unlessGone)
      }
    },
  }

  function isUsed(namespace: string, claim: string): boolean {
    return storage.list(podCollection, { prefix: keyOf(namespace, '') }).some((stored) => {
      const { spec } = objectOf(pods, stored)
      // One that runs nowhere cannot hold it.
      if (!isRecord(spec) || !spec['nodeName']) return false
      return recordsIn(spec['volumes']).some(
        ({ persistentVolumeClaim }) => isRecord(persistentVolumeClaim) && persistentVolumeClaim['claimName'] === claim,
      )
    })
  }
}
