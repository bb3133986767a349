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

/** Roles that the accounts of pipelines get. */
const boundRoles = [integrationRunner, releaseResourceRole]

/** What the controllers do, and no more. A status is a resource of its own. */
export const simulatorRules: PolicyRule[] = [
  rule('', ['namespaces'], [...read, 'create']),
  rule('', ['configmaps', 'secrets', 'serviceaccounts'], [...read, 'create', 'update']),
  rule('', ['pods'], [...read, 'create', 'delete']),
  rule('', ['pods/status'], ['update']),
  // Writing logs is a door of this API server alone.
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
  // Nobody gives away what they may not do, unless they may bind the role itself.
  { ...rule(clusterRoleType.group, ['clusterroles'], ['bind']), resourceNames: [...boundRoles] },
  rule('pipelinesascode.tekton.dev', ['repositories'], [...read, 'create', 'update']),
  rule(tekton, ['pipelines'], ['get']),
  rule(tekton, ['customruns'], [...read, 'create', 'update']),
  rule(tekton, ['pipelineruns', 'taskruns'], [...read, 'create', 'update', 'patch', 'delete']),
  rule(tekton, ['pipelineruns/status', 'taskruns/status'], ['update']),
]
