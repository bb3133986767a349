import type { KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import type { StatusCause } from '@slipway/kube/status'
import type { ReviewKind } from '../authorization/reviews'
import type { TokenReviewKind } from '../authentication/token-reviews'
import type { Clock } from '@slipway/kube/clock'
import type { PrinterColumn } from '../schema/crd'
import type { JsonSchema } from '../schema/json-schema'
import type { CompiledSchema } from '../schema/structural-schema'

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch'

export const allVerbs: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
]

/** An object whose members beyond metadata are not known to the code at hand. */
export type AnyObject = KubeObject & Record<string, unknown>

/** One served kind in one version: everything that the handlers, discovery, tables and documents know of it. */
export interface ResourceInfo {
  readonly type: ResourceType
  readonly singular: string
  readonly listKind: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly verbs: readonly Verb[]
  /** Has a `status` subresource: the resource itself ignores status then, and the subresource all but status. */
  readonly hasStatus: boolean
  /** Labels, annotations and finalizers may be written together with the status. */
  readonly statusTakesMetadata?: boolean
  /** Defined by a CustomResourceDefinition. */
  readonly isCustom: boolean
  readonly schema: JsonSchema
  /** Compiled when first asked for. */
  compiled(): CompiledSchema
  /** additionalPrinterColumns of a custom kind; `undefined` for built-in kinds, which have columns of their own. */
  readonly columns?: readonly PrinterColumn[]
  /** The version in which objects are stored, where it is another one. */
  readonly storageVersion?: string
  /** Texts that a deprecated version sends along with every answer. */
  readonly warnings?: readonly string[]
  /** `true` when generation counts changes outside metadata and status. */
  readonly hasGeneration: boolean
  /** How names are formed: a DNS subdomain (most kinds), a DNS label, or anything that fits in a path (RBAC). */
  readonly nameFormat: 'subdomain' | 'label' | 'path'
  /** A deletion marks the object before it goes, as those with a grace period are marked. */
  readonly isGraceful?: boolean
  /** A deletion answers the object that went, not a Status. Source: ReturnDeletedObject of its registry. */
  readonly answersDeleted?: boolean
  /** Fields that a field selector may name besides `metadata.name` and `metadata.namespace`. */
  fieldsOf?(object: AnyObject): Record<string, string>
  /** How objects of a kind that is kept as another one are served and kept; absent where both are the same. */
  readonly storedAs?: {
    serve(stored: AnyObject): AnyObject
    keep(served: AnyObject): AnyObject
  }
  /** Defaults, in place: they belong to whoever writes the object. */
  prepare?(object: AnyObject, context: { old?: AnyObject; clock: Clock }): void
  /** What the server adds on its own account after `prepare`, in place: no field manager owns it. */
  fill?(object: AnyObject): void
  /** What a deletion does besides marking the object, in place, where the object stays until it is emptied. */
  terminate?(object: AnyObject, clock: Clock): void
  /** What is wrong with an object that its schema does not tell. */
  validate?(object: AnyObject, old?: AnyObject): StatusCause[]
  /** A question that is posted, answered and not stored. */
  readonly review?: ReviewKind | TokenReviewKind
  /** What is served below objects of the kind, besides `status`. */
  readonly subresources?: readonly Subresource[]
}

export interface Subresource {
  readonly name: string
  /** Of what is sent and answered there. */
  readonly type: Pick<ResourceType, 'group' | 'version' | 'kind'>
  readonly verbs: readonly Verb[]
  /** What its query may hold beyond what every write takes. */
  readonly query?: readonly string[]
  /** Of `type`, where the kind above is another one. Without one a text is answered. */
  readonly schema?: JsonSchema
}

/** Kinds that two groups serve, and the one under which they are kept. */
const keptUnder: Readonly<Record<string, string>> = { 'events.k8s.io/events': '/events' }

/** Where objects of a kind are kept, whatever their version: `plural` of a group. */
export function collectionOf({ group, plural }: Pick<ResourceType, 'group' | 'plural'>): string {
  const collection = `${group}/${plural}`
  return keptUnder[collection] ?? collection
}

/** Key of an object within its collection; namespaces are contiguous in key order. */
export const keyOf = (namespace: string | undefined, name: string): string => `${namespace ?? ''}/${name}`
