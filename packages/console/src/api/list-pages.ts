import type { ListOptions } from '@slipway/kube/client'
import type { FieldPath } from '@slipway/kube/field-mask'

/** Which objects of a kind: those of one namespace, or of the whole cluster without one. */
export interface ListScope {
  namespace?: string
  /** Labels that an object must carry. */
  labels?: Record<string, string>
  /** Fields that an object must have, such as `{ 'metadata.name': 'x' }`. */
  fields?: Record<string, string>
  /**
   * The fields that are shown of each object: less to send, to read and to hold. What is cut off is not known here, so
   * that such an object is never written back. A list with a mask is another list than the one without.
   */
  mask?: readonly FieldPath[]
}

/** The first page of a list, and each page of whole objects. */
const pageSize = 500
/** Each further page of objects that are cut down: as much to send as a few hundred whole ones at most. */
const maskedPageSize = 2_500

/** The first page of a list that is shown while the rest is on its way: more than a screen, and soon there. */
const soonPageSize = 100

/** How a page of a list is asked for; the first without a token. */
export const pageOf = (
  { namespace, labels, fields, mask }: ListScope,
  { token, isGradual = false }: { token?: string | undefined; isGradual?: boolean } = {},
): ListOptions => ({
  namespace,
  labels: labels && { matchLabels: labels },
  fields,
  mask,
  limit: token ? (mask ? maskedPageSize : pageSize) : isGradual ? soonPageSize : pageSize,
  continue: token,
})
