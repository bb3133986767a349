import { clusterRoleType, type PolicyRule } from '@slipway/kube/core-types'
import { integrationRunner, releaseResourceRole } from '@slipway/model/access/roles/service-accounts'

const read = ['get', 'list', 'watch']
const rule = (apiGroup: string, resources: string[], verbs: string[]): PolicyRule => ({
  apiGroups: [apiGroup],
  resources,
  verbs,
})
const appstudio = 'appstudio.redhat.com'
const tekton = 'tekton.dev'

/** Roles that are bound to the service accounts of pipelines. */
const boundRoles = [integrationRunner, releaseResourceRole]

/** The permissions that the controllers need, and no others. A status is a separate resource. */
export const simulatorRules: PolicyRule[] = [
  rule('', ['namespaces'], [...read, 'create']),
  rule('', ['configmaps', 'secrets', 'serviceaccounts'], [...read, 'create', 'update']),
  rule('', ['pods'], [...read, 'create', 'delete']),
  rule('', ['pods/status'], ['update']),
  // Only the API server of this project supports writing logs.
  rule('', ['pods/log'], ['get', 'create']),
  rule('', ['events'], ['create']),
  rule(appstudio, ['applications'], read),
  rule(appstudio, ['components', 'imagerepositories'], [...read, 'create', 'update']),
  rule(appstudio, ['components/status', 'imagerepositories/status'], ['update']),
  rule(appstudio, ['integrationtestscenarios'], [...read, 'update']),
  rule(appstudio, ['integrationtestscenarios/status'], ['update']),
  rule(appstudio, ['snapshots', 'releases'], [...read, 'create', 'update', 'delete']),
  rule(appstudio, ['snapshots/status', 'releases/status'], ['update']),
  rule(appstudio, ['releaseplans'], [...read, 'update']),
  rule(appstudio, ['releaseplanadmissions'], read),
  rule(appstudio, ['releaseplans/status', 'releaseplanadmissions/status'], ['update']),
  rule(clusterRoleType.group, ['rolebindings'], [...read, 'create', 'delete']),
  // Binding a role requires all of its permissions, or the permission to bind that role.
  { ...rule(clusterRoleType.group, ['clusterroles'], ['bind']), resourceNames: [...boundRoles] },
  rule('pipelinesascode.tekton.dev', ['repositories'], [...read, 'create', 'update']),
  rule(tekton, ['pipelines'], ['get']),
  rule(tekton, ['customruns'], [...read, 'create', 'update']),
  rule(tekton, ['pipelineruns', 'taskruns'], [...read, 'create', 'update', 'patch', 'delete']),
  rule(tekton, ['pipelineruns/status', 'taskruns/status'], ['update']),
]
