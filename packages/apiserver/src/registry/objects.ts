import { apiVersionOf } from '@slipway/kube/resource-type'
import type { Change, Stored } from '../storage/storage'
import type { AnyObject, ResourceInfo } from './resource'

/** Between the texts that are stored and the objects that are served. */

/** In the version asked for: versions of a kind differ in nothing else (conversion strategy None). */
export function objectOf(info: ResourceInfo, { value, revision }: Pick<Stored, 'value' | 'revision'>): AnyObject {
  const object = JSON.parse(value) as AnyObject // Written by `textOf`.
  object.apiVersion = apiVersionOf(info.type)
  object.kind = info.type.kind
  object.metadata.resourceVersion = String(revision)
  if (info.isCustom) info.compiled().applyDefaults(object)
  return object
}

/** The state before a change, with the revision of the change: what a watch tells of an object that goes. */
export const objectBefore = (info: ResourceInfo, change: Change): AnyObject | undefined =>
  change.previous === undefined ? undefined : objectOf(info, { value: change.previous, revision: change.revision })

export function textOf(object: AnyObject): string {
  const { apiVersion, kind, metadata, ...rest } = object
  const { resourceVersion: _, ...kept } = metadata
  return JSON.stringify({ apiVersion, kind, metadata: kept, ...rest })
}
