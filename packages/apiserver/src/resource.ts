import type { Verb } from '@slipway/kube/api-request'
import type { KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import type { StatusCause } from '@slipway/kube/status'
import type { Clock } from '@slipway/kube/clock'
import type { PrinterColumn } from './apiextensions/crd'
import type { JsonSchema } from './apiextensions/json-schema'
import type { CompiledSchema } from './apiextensions/structural-schema'

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

/** Reviews of access, which the authorizer answers. */
export type ReviewKind =
  | 'SelfSubjectAccessReview'
  | 'SubjectAccessReview'
  | 'LocalSubjectAccessReview'
  | 'SelfSubjectRulesReview'
  | 'SelfSubjectReview'
/** Reviews and requests of tokens, which the authenticator answers. */
export type TokenReviewKind = 'TokenReview' | 'TokenRequest'

/** An object of which only the metadata is typed. */
export type AnyObject = KubeObject & Record<string, unknown>

/** One served kind in one version: everything that handlers, discovery, tables and OpenAPI know about it. */
export interface ResourceInfo {
  readonly type: ResourceType
  readonly singular: string
  readonly listKind: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly verbs: readonly Verb[]
  /** Has a `status` subresource: the main resource ignores status, and the subresource ignores everything else. */
  readonly hasStatus: boolean
  /** The status subresource also accepts labels, annotations and finalizers. */
  readonly statusTakesMetadata?: boolean
  /** Defined by a CustomResourceDefinition. */
  readonly isCustom: boolean
  readonly schema: JsonSchema
  /** Compiled on first use. */
  compiled(): CompiledSchema
  /** additionalPrinterColumns of a custom kind; `undefined` for built-in kinds, which have their own columns. */
  readonly columns?: readonly PrinterColumn[]
  /** The version in which objects are stored, if different. */
  readonly storageVersion?: string
  /** Warnings that a deprecated version adds to every response. */
  readonly warnings?: readonly string[]
  /** True if generation counts changes outside metadata and status. */
  readonly hasGeneration: boolean
  /** Name syntax: a DNS subdomain (most kinds), a DNS label, or anything valid in a path (RBAC). */
  readonly nameFormat: 'subdomain' | 'label' | 'path'
  /** A deletion marks the object before removing it, as with kinds that have a grace period. */
  readonly isGraceful?: boolean
  /** A deletion returns the deleted object, not a Status. Source: ReturnDeletedObject of its registry. */
  readonly returnsDeletedObject?: boolean
  /** Fields that a field selector may use besides `metadata.name` and `metadata.namespace`. */
  fieldsOf?(object: AnyObject): Record<string, string>
  /** Conversion for a kind that is stored as another one; absent if both are the same. */
  readonly conversion?: {
    toServed(stored: AnyObject): AnyObject
    toStored(served: AnyObject): AnyObject
  }
  /** Maps whose values are bytes, in base64. */
  readonly bytes?: readonly string[]
  /** Applies defaults in place. The writer of the object owns them. */
  prepare?(object: AnyObject, context: { old?: AnyObject; clock: Clock }): void
  /** Adds the server's own fields in place, after `prepare`. No field manager owns them. */
  fill?(object: AnyObject): void
  /** Changes an object in place when its deletion starts, for a kind that is emptied before it is removed. */
  terminate?(object: AnyObject, clock: Clock): void
  /** True for an object in use, which is not removed yet although it is deleted and has no finalizers. */
  isInUse?(object: AnyObject): boolean
  /** Checks that the schema cannot express. */
  validate?(object: AnyObject, old?: AnyObject): StatusCause[]
  /** For a kind that is posted, evaluated and returned, but never stored. */
  readonly review?: ReviewKind | TokenReviewKind
  /** Subresources other than `status`. */
  readonly subresources?: readonly Subresource[]
}

export interface Subresource {
  readonly name: string
  /** Type of the request and response bodies. */
  readonly type: Pick<ResourceType, 'group' | 'version' | 'kind'>
  readonly verbs: readonly Verb[]
  /** What serves it: the log of a pod, or the kind to which its requests are posted, such as TokenRequest. */
  readonly servedBy: 'log' | ResourceInfo
  /** Query parameters in addition to those of every write. */
  readonly query?: readonly string[]
  /** Schema of `type`, if it is not the parent kind. Without one, the response is plain text. */
  readonly schema?: JsonSchema
}

/** Resources served in two groups, and the collection in which they are stored. */
const storedUnder: Readonly<Record<string, string>> = { 'events.k8s.io/events': '/events' }

/** The collection of a kind, the same for all its versions: `group/plural`. */
export function collectionOf({ group, plural }: Pick<ResourceType, 'group' | 'plural'>): string {
  const collection = `${group}/${plural}`
  return storedUnder[collection] ?? collection
}

/** Key of an object within its collection; namespaces are contiguous in key order. */
export const keyOf = (namespace: string | undefined, name: string): string => `${namespace ?? ''}/${name}`
