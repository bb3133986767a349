import { isRecord } from '@slipway/kube/object'
import { recordsIn } from '../builtin/pod-defaults'
import { claimFinalizer, persistentVolumeClaims } from '../builtin/persistentvolumeclaims'
import { pods } from '../builtin/pods'
import { isBeingDeleted, deserialize } from '../registry/objects'
import { collectionOf, keyOf, type AnyObject } from '../resource'
import { serverWriteOptions } from '../registry/writer'
import type { Controller, ControllerParts } from './controllers'
import { ignoreNotFound } from './definition-cleanup'

const claims = collectionOf(persistentVolumeClaims.type)
const podCollection = collectionOf(pods.type)

/**
 * Removes the finalizer of a claim that is being deleted once no pod uses it.
 * Source: pkg/controller/volume/pvcprotection of Kubernetes.
 */
export function claimProtection({ storage, writer }: ControllerParts): Controller {
  return {
    observe: ({ collection, type }) => collection === claims || (collection === podCollection && type === 'deleted'),
    async reconcile() {
      for (const stored of storage.list(claims)) {
        if (!isBeingDeleted(stored.value)) continue
        const { metadata } = deserialize(persistentVolumeClaims, stored)
        const { namespace, name = '', finalizers = [] } = metadata
        if (!finalizers.includes(claimFinalizer) || isUsed(namespace ?? '', name)) continue
        const withoutFinalizer = (claim: AnyObject) => ({
          ...claim,
          metadata: { ...claim.metadata, finalizers: finalizers.filter((finalizer) => finalizer !== claimFinalizer) },
        })
        const target = { resource: persistentVolumeClaims, namespace, name }
        const change = (current: () => AnyObject) => withoutFinalizer(current())
        await writer.write(target, { type: 'update', change }, serverWriteOptions).catch(ignoreNotFound)
      }
    },
  }

  function isUsed(namespace: string, claim: string): boolean {
    return storage.list(podCollection, { prefix: keyOf(namespace, '') }).some((stored) => {
      const { spec } = deserialize(pods, stored)
      // A pod that is not scheduled cannot use the claim.
      if (!isRecord(spec) || !spec['nodeName']) return false
      return recordsIn(spec['volumes']).some(
        ({ persistentVolumeClaim }) => isRecord(persistentVolumeClaim) && persistentVolumeClaim['claimName'] === claim,
      )
    })
  }
}
