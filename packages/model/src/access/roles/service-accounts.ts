import { clusterRoleType, type ClusterRole, type PolicyRule } from '@slipway/kube/core-types'
import { apiVersionOf, inEachGroup } from '@slipway/kube/resource-type'
import { applicationType } from '../../builds/application'

/** Roles for the service accounts of pipelines. */

const read = ['get', 'list', 'watch']
const appstudio = inEachGroup(applicationType).map(({ group }) => group)
const rule = (group: string | string[], resources: string[], verbs: string[]): PolicyRule => ({
  apiGroups: [group].flat(),
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
    rule(appstudio, ['applications', 'components', 'snapshots', 'integrationtestscenarios'], read),
    rule('tekton.dev', ['pipelineruns', 'taskruns'], read),
  ]),
  role(releaseResourceRole, [
    rule(appstudio, ['releases', 'releaseplans', 'releaseplanadmissions', 'snapshots'], read),
    rule(appstudio, ['enterprisecontractpolicies'], read),
    rule(appstudio, ['releases/status'], ['get', 'patch', 'update']),
  ]),
]
