import type { AnyObject, ResourceInfo } from '../resource'

/** Finalizing removes the finalizers in the spec of a namespace; clients cannot. */
export type WriteSubresource = 'status' | 'finalize'

/** What to store when `changed` replaces `old`: a status write changes only the status, other writes never do. */
export function mergeUpdate(
  resource: ResourceInfo,
  old: AnyObject,
  changed: AnyObject,
  subresource: WriteSubresource | undefined,
): AnyObject {
  if (subresource === 'finalize') return { ...old, metadata: { ...old.metadata }, spec: changed['spec'] }
  if (subresource === 'status') return withStatus(withMetadataOfStatus(resource, old, changed), changed['status'])
  const object = resource.hasStatus ? withStatus(changed, old['status']) : changed
  const { metadata } = object
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, generation, resourceVersion } =
    old.metadata
  Object.assign(metadata, {
    uid,
    creationTimestamp,
    deletionTimestamp,
    deletionGracePeriodSeconds,
    generation,
    resourceVersion,
  })
  return object
}

/**
 * `old` with the metadata that a status write may change. Unchanged parts are shared with `old`, which makes comparing
 * the two cheap. Sharing is safe because stored objects are already prepared, so that preparing them again changes
 * nothing in place.
 */
function withMetadataOfStatus(resource: ResourceInfo, old: AnyObject, { metadata }: AnyObject): AnyObject {
  const object = { ...old, metadata: { ...old.metadata } }
  if (!resource.statusTakesMetadata) return object
  const { labels, annotations, finalizers } = metadata
  Object.assign(object.metadata, { labels, annotations, finalizers })
  return object
}

function withStatus(object: AnyObject, status: unknown): AnyObject {
  if (status === undefined) delete object['status']
  else object['status'] = status
  return object
}

/** For comparison: new timestamps in managedFields alone are not a change. */
export function withoutTimes(object: AnyObject): AnyObject {
  const managedFields = object.metadata.managedFields?.map(({ time: _, ...entry }) => entry)
  return { ...object, metadata: { ...object.metadata, managedFields } }
}

/** The part of an object whose changes increase its generation. */
export function generationInput({ hasStatus }: ResourceInfo, { metadata: _, ...rest }: AnyObject): object {
  return hasStatus ? { ...rest, status: undefined } : rest
}
