import type { ListOptions } from '@slipway/kube/client'
import type { FieldPath } from '@slipway/kube/field-mask'

/** Selects objects of a kind: those of one namespace or, without one, of the whole cluster. */
export interface ListScope {
  namespace?: string
  /** Labels that an object must carry. */
  labels?: Record<string, string>
  /** Fields that an object must have, such as `{ 'metadata.name': 'x' }`. */
  fields?: Record<string, string>
  /**
   * The fields to fetch of each object, which saves transfer, parsing and memory. The other fields are not known here,
   * so such an object must never be written back. A list with a mask and one without are cached separately.
   */
  mask?: readonly FieldPath[]
}

/** Size of a list's first page, and of each page of complete objects. */
const pageSize = 500
/** Size of each further page of masked objects: at most as many bytes as a few hundred complete ones. */
const maskedPageSize = 2_500

/** Size of the first page of a list that is shown while the rest is loading: more than a screenful, and fast. */
const gradualPageSize = 100

/** Options for fetching a page of a list; without a token, the first one. */
export const pageOf = (
  { namespace, labels, fields, mask }: ListScope,
  { token, isGradual = false }: { token?: string | undefined; isGradual?: boolean } = {},
): ListOptions => ({
  namespace,
  labels: labels && { matchLabels: labels },
  fields,
  mask,
  limit: token ? (mask ? maskedPageSize : pageSize) : isGradual ? gradualPageSize : pageSize,
  continue: token,
})
