import type { KubeClient } from '@slipway/kube/client'
import {
  clusterRoleType,
  selfSubjectAccessReviewType,
  type ClusterRole,
  type PolicyRule,
  type ResourceAttributes,
} from '@slipway/kube/core-types'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { customResourceDefinitions } from '@slipway/model/platform-objects'
import { simulatorRules } from '@slipway/simulator/roles'

const rule = (apiGroup: string, resources: string[], verbs: string[]): PolicyRule => ({
  apiGroups: [apiGroup],
  resources,
  verbs,
})
const rbac = clusterRoleType.group
/** Objects are created if they are missing, and replaced if our own text of them has changed. */
const apply = ['get', 'create', 'update']

/** Installs the platform. Creating and binding roles with permissions that one lacks requires `escalate` and `bind`. */
const installRules: PolicyRule[] = [
  rule('apiextensions.k8s.io', ['customresourcedefinitions'], apply),
  rule(rbac, ['clusterroles', 'roles'], [...apply, 'escalate', 'bind']),
  rule(rbac, ['clusterrolebindings', 'rolebindings'], apply),
  rule('', ['namespaces'], [...apply, 'patch']),
  rule('', ['configmaps', 'serviceaccounts'], apply),
]

/** Creates a scenario: objects of all kinds of the platform, with their history. */
const scenarioRules: PolicyRule[] = [
  rule('', ['configmaps', 'secrets'], [...apply, 'delete']),
  rule('', ['pods'], ['get', 'create']),
  rule('', ['pods/status'], ['update']),
  ...customResourceDefinitions.map(({ spec: { group, names } }) =>
    rule(group, [names.plural, `${names.plural}/status`], [...apply, 'list', 'delete']),
  ),
]

/** The least privileges that `slipway simulate` needs. */
export const simulateRole: ClusterRole = {
  apiVersion: apiVersionOf(clusterRoleType),
  kind: clusterRoleType.kind,
  metadata: { name: 'slipway-simulate' },
  rules: [...installRules, ...scenarioRules, ...simulatorRules],
}

/** Number of concurrent reviews. */
const maxConcurrentReviews = 16

/** The permissions of a role that the caller lacks, such as `create pods/log`; none for a cluster administrator. */
export async function missingPermissions(client: KubeClient, { rules }: ClusterRole): Promise<string[]> {
  const isAllowed = async (resourceAttributes: ResourceAttributes) => {
    const review = await client.create(selfSubjectAccessReviewType, { metadata: {}, spec: { resourceAttributes } })
    return review.status?.allowed === true
  }
  if (await isAllowed({ group: '*', resource: '*', verb: '*' })) return []
  const needed = permissionsOf(rules ?? [])
  const waiting = needed.entries()
  const missing = new Set<string>()
  const review = async () => {
    for (const [text, permission] of waiting) if (!(await isAllowed(permission))) missing.add(text)
  }
  await Promise.all(Array.from({ length: maxConcurrentReviews }, review))
  return [...needed.keys()].filter((text) => missing.has(text))
}

/** The distinct permissions of some rules, by their text. */
function permissionsOf(rules: PolicyRule[]): Map<string, ResourceAttributes> {
  const permissions = new Map<string, ResourceAttributes>()
  for (const { apiGroups = [], resources = [], resourceNames = [undefined], verbs } of rules)
    for (const group of apiGroups)
      for (const path of resources)
        for (const name of resourceNames)
          for (const verb of verbs) {
            const [resource = '', subresource] = path.split('/')
            const text = `${verb} ${path}${group && `.${group}`}${name === undefined ? '' : ` ${name}`}`
            permissions.set(text, { group, resource, subresource, name, verb })
          }
  return permissions
}
