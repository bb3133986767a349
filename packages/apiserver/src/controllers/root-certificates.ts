import { namespaceType } from '@slipway/kube/core-types'
import { isRecord } from '@slipway/kube/object'
import { configMaps } from '../builtin/configmaps'
import { StatusError } from '../errors'
import { isBeingDeleted, deserialize } from '../registry/objects'
import { collectionOf, keyOf, type AnyObject } from '../resource'
import { serverWriteOptions } from '../registry/writer'
import type { Controller, ControllerParts } from './controllers'

const name = 'kube-root-ca.crt'
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the ' +
  'internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.'

/**
 * Publishes the certificate by which clients trust the API, in PEM, to each namespace.
 * Source: pkg/controller/certificates/rootcacertpublisher of Kubernetes.
 */
export function rootCertificates({ storage, writer }: ControllerParts, certificate: string): Controller {
  const namespaces = collectionOf(namespaceType)
  const published = collectionOf(configMaps.type)
  const data = { 'ca.crt': certificate }
  const due = new Set<string>()
  for (const { key } of storage.list(namespaces)) due.add(key.slice(1))

  async function publish(namespace: string) {
    const target = { resource: configMaps, namespace, name }
    const stored = storage.get(published, keyOf(namespace, name))
    if (!stored) {
      const metadata = { name, annotations: { 'kubernetes.io/description': description } }
      await writer.write(target, { type: 'create', body: { metadata, data } }, serverWriteOptions)
      return
    }
    const { data: known } = deserialize(configMaps, stored)
    if (isRecord(known) && known['ca.crt'] === certificate && Object.keys(known).length === 1) return
    const change = (current: () => AnyObject) => ({ ...current(), data })
    await writer.write(target, { type: 'update', change }, serverWriteOptions)
  }

  return {
    observe({ collection, key, type }) {
      const isOfNamespace = collection === namespaces && type === 'created'
      const namespace = isOfNamespace ? key.slice(1) : key.slice(0, key.indexOf('/'))
      if (!isOfNamespace && !(collection === published && key === keyOf(namespace, name))) return false
      due.add(namespace)
      return true
    },
    async reconcile() {
      for (const namespace of due) {
        due.delete(namespace)
        const stored = storage.get(namespaces, keyOf(undefined, namespace))
        if (!stored || isBeingDeleted(stored.value)) continue
        await publish(namespace).catch((error: unknown) => {
          // The namespace is being deleted, another client was faster, or the object was made immutable.
          if (error instanceof StatusError && [403, 404, 409, 422].includes(error.status.code)) return
          due.add(namespace)
          throw error
        })
      }
    },
  }
}
