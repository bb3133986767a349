import type { KubeClient } from '@slipway/kube/client'
import {
  clusterRoleType,
  selfSubjectAccessReviewType,
  type ClusterRole,
  type PolicyRule,
  type ResourceAttributes,
} from '@slipway/kube/core-types'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { customResourceDefinitions } from '@slipway/model/platform/platform'
import { simulatorRules } from '@slipway/simulator/roles'

const rule = (apiGroup: string, resources: string[], verbs: string[]): PolicyRule => ({
  apiGroups: [apiGroup],
  resources,
  verbs,
})
const rbac = clusterRoleType.group
/** Created where they are missing, and replaced where our own text of them has changed. */
const apply = ['get', 'create', 'update']

/** What installs the platform. To create roles with rights of others, and bind them, takes `escalate` and `bind`. */
const installRules: PolicyRule[] = [
  rule('apiextensions.k8s.io', ['customresourcedefinitions'], apply),
  rule(rbac, ['clusterroles', 'roles'], [...apply, 'escalate', 'bind']),
  rule(rbac, ['clusterrolebindings', 'rolebindings'], apply),
  rule('', ['namespaces'], [...apply, 'patch']),
  rule('', ['configmaps', 'serviceaccounts'], apply),
]

/** What creates a scenario: objects of all kinds of the platform, with their past. */
const scenarioRules: PolicyRule[] = [
  rule('', ['configmaps', 'secrets'], [...apply, 'delete']),
  rule('', ['pods'], ['get', 'create']),
  rule('', ['pods/status'], ['update']),
  ...customResourceDefinitions.map(({ spec: { group, names } }) =>
    rule(group, [names.plural, `${names.plural}/status`], [...apply, 'list', 'delete']),
  ),
]

/** The least that `slipway simulate` must be allowed. */
export const simulateRole: ClusterRole = {
  apiVersion: apiVersionOf(clusterRoleType),
  kind: clusterRoleType.kind,
  metadata: { name: 'slipway-simulate' },
  rules: [...installRules, ...scenarioRules, ...simulatorRules],
}

/** Reviews that are sent at the same time. */
const reviewsAtOnce = 16

/** The rights of a role that the caller lacks, such as `create pods/log`; none for a cluster administrator. */
export async function missingRights(client: KubeClient, { rules }: ClusterRole): Promise<string[]> {
  const isAllowed = async (resourceAttributes: ResourceAttributes) => {
    const review = await client.create(selfSubjectAccessReviewType, { metadata: {}, spec: { resourceAttributes } })
    return review.status?.allowed === true
  }
  if (await isAllowed({ group: '*', resource: '*', verb: '*' })) return []
  const needed = rightsOf(rules ?? [])
  const waiting = needed.entries()
  const missing = new Set<string>()
  const review = async () => {
    for (const [text, right] of waiting) if (!(await isAllowed(right))) missing.add(text)
  }
  await Promise.all(Array.from({ length: reviewsAtOnce }, review))
  return [...needed.keys()].filter((text) => missing.has(text))
}

/** Each right of some rules once, by its text. */
function rightsOf(rules: PolicyRule[]): Map<string, ResourceAttributes> {
  const rights = new Map<string, ResourceAttributes>()
  for (const { apiGroups = [], resources = [], resourceNames = [undefined], verbs } of rules)
    for (const group of apiGroups)
      for (const path of resources)
        for (const name of resourceNames)
          for (const verb of verbs) {
            const [resource = '', subresource] = path.split('/')
            const text = `${verb} ${path}${group && `.${group}`}${name === undefined ? '' : ` ${name}`}`
            rights.set(text, { group, resource, subresource, name, verb })
          }
  return rights
}
