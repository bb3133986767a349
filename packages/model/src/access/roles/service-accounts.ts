import { clusterRoleType, type ClusterRole, type PolicyRule } from '@slipway/kube/core-types'
import { apiVersionOf } from '@slipway/kube/resource-type'

/** Roles for the service accounts of pipelines. */

const read = ['get', 'list', 'watch']
const rule = (group: string, resources: string[], verbs: string[]): PolicyRule => ({
  apiGroups: [group],
  resources,
  verbs,
})
const role = (name: string, rules: PolicyRule[]): ClusterRole => ({
  apiVersion: apiVersionOf(clusterRoleType),
  kind: clusterRoleType.kind,
  metadata: { name },
  rules,
})

export const integrationRunner = 'konflux-integration-runner'
export const releaseResourceRole = 'release-pipeline-resource-role'

export const serviceAccountRoles: ClusterRole[] = [
  role(integrationRunner, [
    rule('appstudio.redhat.com', ['applications', 'components', 'snapshots', 'integrationtestscenarios'], read),
    rule('tekton.dev', ['pipelineruns', 'taskruns'], read),
  ]),
  role(releaseResourceRole, [
    rule('appstudio.redhat.com', ['releases', 'releaseplans', 'releaseplanadmissions', 'snapshots'], read),
    rule('appstudio.redhat.com', ['enterprisecontractpolicies'], read),
    rule('appstudio.redhat.com', ['releases/status'], ['get', 'patch', 'update']),
  ]),
]
