import type { JsonPatchOperation } from '@slipway/kube/client'
import { mapPatch } from '@slipway/kube/json-patch'
import type { KubeObject } from '@slipway/kube/object'

/** The steps that change some labels or annotations of an object and keep the others: `undefined` removes a key. */
export const metadataPatch = (
  { metadata }: KubeObject,
  member: 'labels' | 'annotations',
  changes: Record<string, string | undefined>,
): JsonPatchOperation[] => mapPatch(`/metadata/${member}`, metadata[member], changes)
