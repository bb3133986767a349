import type { PolicyRule } from '@slipway/kube/core-types'
import type { UserInfo } from '@slipway/kube/user'

export type Subject = Pick<UserInfo, 'name' | 'groups'>

/** The attributes of a request that RBAC considers: for a resource or for a non-resource `path`. */
export interface Attributes {
  user: Subject
  verb: string
  group?: string
  /** Plural name. */
  resource?: string
  subresource?: string
  namespace?: string
  /** For list and watch: the name in a `metadata.name=` field selector. */
  name?: string
  /** Set for non-resource requests such as `/version`. */
  path?: string
}

/** Matching and comparison of policy rules. Source: k8s.io/component-helpers, auth/rbac/validation. */

export function ruleAllows(rule: PolicyRule, attributes: Attributes): boolean {
  if (!hasOrAll(rule.verbs, attributes.verb)) return false
  if (attributes.path !== undefined) return matchesPath(rule.nonResourceURLs, attributes.path)
  return (
    hasOrAll(rule.apiGroups, attributes.group ?? '') &&
    matchesResource(rule.resources, attributes.resource ?? '', attributes.subresource) &&
    matchesName(rule.resourceNames, attributes)
  )
}

const hasOrAll = (values: readonly string[] | undefined, value: string): boolean =>
  !!values && (values.includes(value) || values.includes('*'))

function matchesResource(resources: readonly string[] | undefined, resource: string, subresource?: string): boolean {
  if (!resources) return false
  if (!subresource) return hasOrAll(resources, resource)
  return hasOrAll(resources, `${resource}/${subresource}`) || resources.includes(`*/${subresource}`)
}

function matchesName(names: readonly string[] | undefined, { verb, name, subresource }: Attributes): boolean {
  if (!names?.length) return true
  // Such requests have no name, and a review with a name must not allow more than the actual request.
  if (verb === 'deletecollection' || (verb === 'create' && !subresource)) return false
  return !!name && names.includes(name)
}

const matchesPath = (patterns: readonly string[] | undefined, path: string): boolean =>
  !!patterns?.some(
    (pattern) => pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/, ''))),
  )

/** The parts of `requested` that no rule of `held` covers, each for one verb on one resource. */
export const uncoveredRules = (held: readonly PolicyRule[], requested: readonly PolicyRule[]): PolicyRule[] =>
  requested.flatMap(breakDown).filter((part) => !held.some((rule) => covers(rule, part)))

function breakDown(rule: PolicyRule): PolicyRule[] {
  const parts: PolicyRule[] = []
  // The rule is not validated yet: any member may be missing.
  for (const verb of rule.verbs ?? []) {
    for (const group of rule.apiGroups ?? []) {
      for (const resource of rule.resources ?? []) {
        const part = { verbs: [verb], apiGroups: [group], resources: [resource] }
        if (rule.resourceNames?.length) {
          for (const name of rule.resourceNames) parts.push({ ...part, resourceNames: [name] })
        } else parts.push(part)
      }
    }
    for (const path of rule.nonResourceURLs ?? []) parts.push({ verbs: [verb], nonResourceURLs: [path] })
  }
  return parts
}

/** @param part a rule for one verb on one resource, from `breakDown` */
function covers(rule: PolicyRule, part: PolicyRule): boolean {
  if (!part.verbs.every((verb) => hasOrAll(rule.verbs, verb))) return false
  if (part.nonResourceURLs) return part.nonResourceURLs.every((path) => matchesPath(rule.nonResourceURLs, path))
  return (
    !!part.apiGroups?.every((group) => hasOrAll(rule.apiGroups, group)) &&
    !!part.resources?.every((resource) => coversResource(rule.resources, resource)) &&
    (!rule.resourceNames?.length || !!part.resourceNames?.every((name) => rule.resourceNames?.includes(name)))
  )
}

function coversResource(resources: readonly string[] | undefined, resource: string): boolean {
  if (hasOrAll(resources, resource)) return true
  const slash = resource.indexOf('/')
  return slash >= 0 && !!resources?.includes(`*${resource.slice(slash)}`)
}
