import type { KubeClient } from '@slipway/kube/client'
import {
  clusterRoleBindingType,
  clusterRoleType,
  configMapType,
  customResourceDefinitionType,
  namespaceType,
  roleBindingType,
  roleType,
  serviceAccountType,
} from '@slipway/kube/core-types'
import { nameOf, namespaceOf, type KubeObject } from '@slipway/kube/object'
import { apiVersionOf, type ResourceType } from '@slipway/kube/resource-type'
import { ignoreMissing, ignoreExisting } from '@slipway/kube/status'

/** Digest of our text from which an object was last written. */
const textAnnotation = 'slipway.test/applied-text'

const types: ResourceType[] = [
  customResourceDefinitionType,
  clusterRoleType,
  clusterRoleBindingType,
  namespaceType,
  serviceAccountType,
  configMapType,
  roleType,
  roleBindingType,
]

/**
 * Applies these objects one by one. An object is written if it is missing or if our text of it has changed, so that an
 * administrator's edits stay until a new version changes the object. An object that another client created under the
 * same name stays unchanged.
 */
export async function applyObjects(client: KubeClient, objects: KubeObject[]): Promise<void> {
  for (const object of objects) await applyObject(client, object)
}

async function applyObject(client: KubeClient, object: KubeObject): Promise<void> {
  const type = typeOf(object)
  const text = await digest(JSON.stringify(object))
  const { metadata } = object
  const desired = {
    ...object,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [textAnnotation]: text } },
  }
  const current = await client.get(type, nameOf(object), { namespace: namespaceOf(object) }).catch(ignoreMissing)
  if (!current) return void (await client.create(type, desired).catch(ignoreExisting))
  const { annotations, resourceVersion } = current.metadata
  const applied = annotations?.[textAnnotation]
  if (applied !== undefined && applied !== text) {
    await client.replace(type, { ...desired, metadata: { ...desired.metadata, resourceVersion } })
  }
}

function typeOf(object: KubeObject): ResourceType {
  const type = types.find((each) => each.kind === object.kind && apiVersionOf(each) === object.apiVersion)
  if (!type) throw new Error(`Unknown resource type ${object.apiVersion} ${object.kind}`)
  return type
}

async function digest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Buffer.from(hash).toString('hex').slice(0, 16)
}
