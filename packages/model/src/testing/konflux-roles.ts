import type { PolicyRule } from '@slipway/kube/core-types'
import { inEachGroup } from '@slipway/kube/resource-type'
import type { UserRole } from '../access/roles/user-actions'
import { componentType } from '../builds/component'

/**
 * What Konflux itself grants its users in a namespace (its roles as of August 2026), to test what a real user sees: the
 * embedded cluster grants more, as the specification says. None of them includes events.
 */

const look = ['get', 'list']
const read = [...look, 'watch']
const edit = ['create', 'update', 'patch']
const change = [...edit, 'delete']

const rule = (apiGroups: string[], resources: string[], verbs: string[]): PolicyRule => ({
  apiGroups,
  resources,
  verbs,
})
const appstudio = [componentType.group]
/** Of the kinds that move, only these are granted in their new group. */
const bothGroups = inEachGroup(componentType).map(({ group }) => group)
const movedKinds = ['components', 'imagerepositories']
const testsAndReleases = ['integrationtestscenarios', 'releases', 'releaseplans', 'releaseplanadmissions']
/** Deprecated: Konflux no longer installs them. */
const projects = ['projects', 'projectdevelopmentstreams', 'projectdevelopmentstreamtemplates']

const viewer: PolicyRule[] = [
  rule(appstudio, ['applications', 'snapshots', 'enterprisecontractpolicies', ...testsAndReleases], read),
  rule(bothGroups, movedKinds, read),
  rule(['tekton.dev'], ['pipelineruns', 'taskruns'], read),
  rule(['results.tekton.dev'], ['results', 'records', 'logs'], look),
  rule([''], ['configmaps', 'pods', 'pods/log'], read),
  rule([''], ['namespaces'], ['get']),
  rule(['visibility.kueue.x-k8s.io'], ['localqueues/pendingworkloads'], ['get']),
  rule(['projctl.konflux.dev'], projects, read),
]

const contributor: PolicyRule[] = [...viewer, rule(['rbac.authorization.k8s.io'], ['rolebindings'], read)]

const maintainer: PolicyRule[] = [
  ...contributor,
  rule(appstudio, ['applications', 'snapshots'], edit),
  rule(bothGroups, movedKinds, edit),
  rule(appstudio, testsAndReleases, change),
]

const admin: PolicyRule[] = [
  ...maintainer,
  rule(appstudio, ['applications'], ['delete', 'deletecollection']),
  rule(bothGroups, movedKinds, ['delete', 'deletecollection']),
  rule(appstudio, ['snapshots'], ['delete']),
  rule(appstudio, ['enterprisecontractpolicies'], change),
  rule(['tekton.dev'], ['pipelineruns'], change),
  rule(['pipelinesascode.tekton.dev'], ['repositories'], read),
  rule([''], ['configmaps'], change),
  rule([''], ['secrets', 'serviceaccounts'], [...read, ...change]),
  rule([''], ['serviceaccounts/token'], ['create']),
  rule(['rbac.authorization.k8s.io'], ['rolebindings'], change),
  rule(['rbac.authorization.k8s.io'], ['roles'], [...read, ...change]),
  rule(['batch'], ['cronjobs', 'jobs'], [...read, ...change]),
  rule(['projctl.konflux.dev'], projects, change),
]

export const konfluxRules: Record<UserRole, PolicyRule[]> = { viewer, contributor, maintainer, admin }
