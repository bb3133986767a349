import type { Clock } from '@slipway/kube/clock'
import type { PolicyRule, ResourceAttributes } from '@slipway/kube/core-types'
import { asRecord } from '@slipway/kube/parse'
import type { StatusCause } from '@slipway/kube/status'
import { shownUser, type UserInfo } from '@slipway/kube/user'
import { badRequest, invalidObject } from '../errors'
import type { AnyObject, ResourceInfo, ReviewKind } from '../resource'
import { invalid } from '../field-error'
import { timestamp } from '../timestamp'
import type { Authorizer } from './authorizer'
import type { Attributes, Subject } from './rules'

/** The review kinds of authorization.k8s.io/v1, and SelfSubjectReview. They are posted, evaluated and not stored. */
export interface ReviewContext {
  authorizer: Authorizer
  clock: Clock
  user: UserInfo
  /** Namespace in the path, for LocalSubjectAccessReview. */
  namespace?: string
}

/**
 * Returns the review with its status. Denied access is a result, not an error.
 * @param body decoded by the schema of its kind
 * @throws StatusError 400 or 422 for a review without attributes, or with too many
 */
export function reviewAccess(
  resource: Pick<ResourceInfo, 'type'>,
  kind: ReviewKind,
  body: AnyObject,
  context: ReviewContext,
): AnyObject {
  switch (kind) {
    case 'SelfSubjectReview': {
      const metadata = { creationTimestamp: timestamp(context.clock) }
      return { ...body, metadata, status: { userInfo: shownUser(context.user) } }
    }
    case 'SelfSubjectRulesReview':
      return reviewRules(body, context)
    default:
      return reviewAttributes(resource, kind, body, context)
  }
}

/** Source: pkg/registry/authorization/selfsubjectrulesreview of Kubernetes: the spec is not returned. */
function reviewRules(body: AnyObject, { authorizer, user }: ReviewContext): AnyObject {
  const { namespace } = asRecord(body['spec'])
  if (typeof namespace !== 'string' || !namespace) throw badRequest('no namespace on request')
  const rules = authorizer.rulesFor(user, namespace)
  const resourceRules = rules.filter((rule) => rule.resources?.length).map(resourceRule)
  const nonResourceRules = rules
    .filter((rule) => rule.nonResourceURLs?.length)
    .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs }))
  const missing = authorizer.missingRoles(user, namespace)
  const evaluationError = missing.length > 1 ? `[${missing.join(', ')}]` : missing[0]
  const status = { resourceRules, nonResourceRules, incomplete: false, ...(evaluationError && { evaluationError }) }
  return { ...body, metadata: {}, spec: {}, status }
}

const resourceRule = ({ verbs, apiGroups, resources, resourceNames }: PolicyRule) => ({
  verbs,
  apiGroups,
  resources,
  ...(resourceNames?.length && { resourceNames }),
})

/** The spec of the three access reviews. */
interface AccessSpec {
  user?: string
  groups?: string[]
  resourceAttributes?: ResourceAttributes
  nonResourceAttributes?: { path?: string; verb?: string }
}

type AccessKind = Exclude<ReviewKind, 'SelfSubjectRulesReview' | 'SelfSubjectReview'>

function reviewAttributes(
  resource: Pick<ResourceInfo, 'type'>,
  kind: AccessKind,
  body: AnyObject,
  { authorizer, user, namespace }: ReviewContext,
): AnyObject {
  const spec: AccessSpec = asRecord(body['spec'])
  const causes = accessCauses(kind, spec, body, namespace)
  if (causes.length > 0) throw invalidObject(resource.type, '', causes)
  const subject = kind === 'SelfSubjectAccessReview' ? user : { name: spec.user ?? '', groups: spec.groups ?? [] }
  const { allowed, reason } = authorizer.authorize(attributesOf(spec, subject))
  return { ...body, status: { allowed, ...(reason && { reason }) } }
}

/** Source: pkg/apis/authorization/validation of Kubernetes. */
function accessCauses(kind: AccessKind, spec: AccessSpec, { metadata }: AnyObject, namespace?: string): StatusCause[] {
  const { resourceAttributes, nonResourceAttributes, user = '', groups = [] } = spec
  const causes: StatusCause[] = []
  if (resourceAttributes && nonResourceAttributes) {
    const detail = 'cannot be specified in combination with resourceAttributes'
    causes.push(invalid('spec.nonResourceAttributes', nonResourceAttributes, detail))
  }
  if (!resourceAttributes && !nonResourceAttributes) {
    const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
    causes.push(invalid('spec.resourceAttributes', null, detail))
  }
  if (kind !== 'SelfSubjectAccessReview' && !user && groups.length === 0) {
    causes.push(invalid('spec.user', user, 'at least one of user or group must be specified'))
  }
  const { namespace: _, ...others } = metadata
  if (Object.keys(others).length > 0) {
    const exception = kind === 'LocalSubjectAccessReview' ? ' except for namespace' : ''
    causes.push(invalid('metadata', metadata, `must be empty${exception}`))
  }
  if (kind !== 'LocalSubjectAccessReview') return causes
  if (resourceAttributes && resourceAttributes.namespace !== namespace) {
    const given = resourceAttributes.namespace ?? ''
    causes.push(invalid('spec.resourceAttributes.namespace', given, 'must match metadata.namespace'))
  }
  if (nonResourceAttributes) {
    causes.push(invalid('spec.nonResourceAttributes', nonResourceAttributes, 'disallowed on this kind of request'))
  }
  return causes
}

function attributesOf(
  { resourceAttributes: requestInfo, nonResourceAttributes }: AccessSpec,
  user: Subject,
): Attributes {
  if (!requestInfo) return { user, verb: nonResourceAttributes?.verb ?? '', path: nonResourceAttributes?.path ?? '' }
  const { verb = '', group, resource, subresource, namespace, name } = requestInfo
  return { user, verb, group, resource, subresource, namespace, name }
}
