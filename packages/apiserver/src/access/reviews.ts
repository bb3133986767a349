import type { PolicyRule, ResourceAttributes } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import type { StatusCause } from '@slipway/kube/status'
import { invalid, typeInvalid } from '../schema/field-error'
import type { Attributes, Authorizer, Subject } from './authorizer'
import type { UserInfo } from './user'

/** The review kinds of authorization.k8s.io/v1 and authentication.k8s.io/v1: questions that are posted and not stored. */
export type ReviewKind =
  | 'SelfSubjectAccessReview'
  | 'SubjectAccessReview'
  | 'LocalSubjectAccessReview'
  | 'SelfSubjectRulesReview'
  | 'SelfSubjectReview'

export interface ReviewContext {
  authorizer: Authorizer
  user: UserInfo
  /** Namespace in the path, for LocalSubjectAccessReview. */
  namespace?: string
}

/** The review with its status (a 201, also when access is denied), or what is wrong with it (a 422). */
export type ReviewAnswer = { review: KubeObject } | { causes: StatusCause[] }

export function answerReview(kind: ReviewKind, body: KubeObject, context: ReviewContext): ReviewAnswer {
  switch (kind) {
    case 'SelfSubjectReview':
      return answered(body, { userInfo: userInfoOf(context.user) })
    case 'SelfSubjectRulesReview':
      return answerRules(body, context)
    default:
      return answerAccess(kind, body, context)
  }
}

const answered = (body: KubeObject, status: object): ReviewAnswer => ({ review: { ...body, status } as KubeObject })

const userInfoOf = ({ name, uid, groups, extra }: UserInfo) => ({
  username: name,
  ...(uid && { uid }),
  groups,
  ...(extra && { extra }),
})

function answerRules(body: KubeObject, { authorizer, user }: ReviewContext): ReviewAnswer {
  const { namespace } = recordOf(specOf(body))
  if (typeof namespace !== 'string' || !namespace) {
    return { causes: [invalid('spec.namespace', namespace ?? '', 'namespace is required')] }
  }
  const rules = authorizer.rulesFor(user, namespace)
  const resourceRules = rules.filter((rule) => rule.resources?.length).map(resourceRule)
  const nonResourceRules = rules
    .filter((rule) => rule.nonResourceURLs?.length)
    .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs }))
  return answered(body, { resourceRules, nonResourceRules, incomplete: false })
}

const resourceRule = ({ verbs, apiGroups, resources, resourceNames }: PolicyRule) => ({
  verbs,
  apiGroups,
  resources,
  ...(resourceNames?.length && { resourceNames }),
})

/** The spec of the three access reviews, as far as it could be read. */
interface AccessSpec {
  user?: string
  groups?: string[]
  resourceAttributes?: ResourceAttributes
  nonResourceAttributes?: { path: string; verb: string }
}

function answerAccess(
  kind: Exclude<ReviewKind, 'SelfSubjectRulesReview' | 'SelfSubjectReview'>,
  body: KubeObject,
  { authorizer, user, namespace }: ReviewContext,
): ReviewAnswer {
  const self = kind === 'SelfSubjectAccessReview'
  const read = readSpec(specOf(body))
  if ('causes' in read) return read
  const { spec } = read
  const causes = attributeCauses(spec)
  if (!self && !spec.user && !spec.groups?.length) {
    causes.push(invalid('spec.user', spec.user ?? '', 'at least one of user or group must be specified'))
  }
  if (kind === 'LocalSubjectAccessReview') causes.push(...localCauses(spec, namespace))
  if (causes.length > 0) return { causes }
  const subject = self ? user : { name: spec.user ?? '', groups: spec.groups ?? [] }
  const { allowed, reason } = authorizer.authorize(attributesOf(spec, subject))
  return answered(body, { allowed, ...(reason && { reason }) })
}

function attributeCauses({ resourceAttributes, nonResourceAttributes }: AccessSpec): StatusCause[] {
  if (resourceAttributes && nonResourceAttributes) {
    const detail = 'cannot be specified in combination with resourceAttributes'
    return [invalid('spec.nonResourceAttributes', nonResourceAttributes, detail)]
  }
  if (resourceAttributes || nonResourceAttributes) return []
  const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
  return [invalid('spec.resourceAttributes', null, detail)]
}

function localCauses({ resourceAttributes, nonResourceAttributes }: AccessSpec, namespace?: string): StatusCause[] {
  const causes: StatusCause[] = []
  if (resourceAttributes && resourceAttributes.namespace !== namespace) {
    const given = resourceAttributes.namespace ?? ''
    causes.push(invalid('spec.resourceAttributes.namespace', given, 'must match metadata.namespace'))
  }
  if (nonResourceAttributes) {
    const detail = 'disallowed on this kind of request'
    causes.push(invalid('spec.nonResourceAttributes', nonResourceAttributes, detail))
  }
  return causes
}

function attributesOf({ resourceAttributes: about, nonResourceAttributes }: AccessSpec, user: Subject): Attributes {
  if (!about) return { user, verb: nonResourceAttributes?.verb ?? '', path: nonResourceAttributes?.path ?? '' }
  const { verb = '', group, resource, subresource, namespace, name } = about
  return { user, verb, group, resource, subresource, namespace, name }
}

const specOf = (body: KubeObject): unknown => ('spec' in body ? body.spec : undefined)
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

/** Reviews are written by anybody: nothing but texts in known places gets through. */
function readSpec(value: unknown): { spec: AccessSpec } | { causes: StatusCause[] } {
  const causes: StatusCause[] = []
  const texts = (record: Record<string, unknown>, path: string): Record<string, string> => {
    const read: Record<string, string> = {}
    for (const [key, item] of Object.entries(record)) {
      if (item === undefined || item === null || isRecord(item)) continue
      if (typeof item === 'string') read[key] = item
      else causes.push(typeInvalid(`${path}.${key}`, typeof item, `${path}.${key} in body must be of type string`))
    }
    return read
  }
  const { resourceAttributes, nonResourceAttributes, groups, user } = recordOf(value)
  const spec: AccessSpec = { user: texts({ user }, 'spec')['user'] }
  if (Array.isArray(groups) && groups.every((name) => typeof name === 'string')) spec.groups = groups
  else if (groups !== undefined && groups !== null) {
    causes.push(typeInvalid('spec.groups', typeof groups, 'spec.groups in body must be of type array'))
  }
  if (isRecord(resourceAttributes)) spec.resourceAttributes = texts(resourceAttributes, 'spec.resourceAttributes')
  if (isRecord(nonResourceAttributes)) {
    const { path = '', verb = '' } = texts(nonResourceAttributes, 'spec.nonResourceAttributes')
    spec.nonResourceAttributes = { path, verb }
  }
  return causes.length > 0 ? { causes } : { spec }
}
