import { clusterRoleType, type ClusterRole, type PolicyRule } from '@slipway/kube/core-types'
import { apiVersionOf, inEachGroup, type ResourceType } from '@slipway/kube/resource-type'
import { applicationType } from '../../builds/application'
import { componentGroupType } from '../../builds/component-group'
import { nudgeConfigType } from '../../builds/nudge-config'
import { pendingWorkloads, visibilityGroup } from '../../runs/queue-position'

/**
 * The roles that a user can have in a namespace. Each is an aggregated cluster role that collects the rules of all
 * cluster roles with its label, so that an add-on can extend it with a role of its own.
 * Specification 1, section 6.
 */
export const userRoles = ['admin', 'maintainer', 'contributor', 'viewer'] as const
export type UserRole = (typeof userRoles)[number]

/** Name of the cluster role that a binding refers to. */
export const clusterRoleName = (role: UserRole): string => `konflux-${role}-user-actions`

const aggregationLabels = (role: UserRole) => ({ [`rbac.konflux-ci.dev/aggregate-to-${role}`]: 'true' })

const create = ['create']
const get = ['get']
const look = ['get', 'list']
const read = [...look, 'watch']
const edit = [...read, 'create', 'update', 'patch']
const manage = [...edit, 'delete']
const clear = [...manage, 'deletecollection']

interface Grant extends Partial<Record<UserRole, string[]>> {
  /** Or groups, if a cluster may serve the kinds in each of them. */
  group: string | string[]
  resources: string[]
}

const appstudio = inEachGroup(applicationType).map(({ group }) => group)
const everybody = (verbs: string[]) => ({ admin: verbs, maintainer: verbs, contributor: verbs, viewer: verbs })
const readers = { maintainer: read, contributor: read, viewer: read }

const deploymentTargets = ['deploymenttargets', 'deploymenttargetclaims']
const serviceAccess = ['spiaccesstokens', 'spiaccesstokenbindings', 'spiaccesschecks', 'remotesecrets']
const jvmBuildService = ['jbsconfigs', 'artifactbuilds']
const gitOps = [
  'gitopsdeployments',
  'gitopsdeploymentmanagedenvironments',
  'gitopsdeploymentrepositorycredentials',
  'gitopsdeploymentsyncruns',
]

const grants: Grant[] = [
  {
    group: appstudio,
    resources: ['applications', 'components', 'imagerepositories'],
    ...readers,
    maintainer: edit,
    admin: clear,
  },
  { group: appstudio, resources: ['snapshots'], ...readers, maintainer: edit, admin: manage },
  {
    group: appstudio,
    resources: ['integrationtestscenarios', 'releases', 'releaseplans', 'releaseplanadmissions'],
    ...readers,
    maintainer: manage,
    admin: manage,
  },
  { group: appstudio, resources: ['enterprisecontractpolicies'], ...readers, admin: manage },
  // Kinds that the specification names but current platforms no longer serve. Rules for unserved kinds do no harm.
  { group: appstudio, resources: ['environments', ...deploymentTargets], ...readers, admin: manage },
  { group: appstudio, resources: serviceAccess, ...readers, maintainer: edit, admin: manage },
  { group: 'jvmbuildservice.io', resources: jvmBuildService, ...readers, maintainer: edit, admin: manage },
  {
    group: appstudio,
    resources: ['buildpipelineselectors'],
    ...readers,
    maintainer: [...read, 'create'],
    admin: manage,
  },
  { group: 'managed-gitops.redhat.com', resources: gitOps, ...everybody(read) },
  { group: 'tekton.dev', resources: ['pipelineruns'], ...readers, admin: manage },
  { group: 'tekton.dev', resources: ['taskruns', 'customruns'], ...everybody(read) },
  { group: 'results.tekton.dev', resources: ['results', 'records', 'logs'], ...everybody(look) },
  { group: 'pipelinesascode.tekton.dev', resources: ['repositories'], admin: read },
  { group: '', resources: ['namespaces'], ...everybody(get) },
  { group: '', resources: ['pods', 'pods/log'], ...everybody(read) },
  { group: '', resources: ['pods/exec'], admin: create },
  { group: '', resources: ['configmaps'], ...readers, admin: manage },
  { group: '', resources: ['secrets', 'serviceaccounts'], admin: manage },
  { group: '', resources: ['serviceaccounts/token'], admin: create },
  {
    group: 'rbac.authorization.k8s.io',
    resources: ['rolebindings'],
    maintainer: read,
    contributor: read,
    admin: manage,
  },
  { group: 'rbac.authorization.k8s.io', resources: ['roles'], admin: manage },
  { group: 'batch', resources: ['cronjobs', 'jobs'], admin: manage },
]

const clusterRole = (name: string, parts: Partial<ClusterRole> & { labels?: Record<string, string> }): ClusterRole => {
  const { labels, rules = [], ...rest } = parts
  return {
    apiVersion: apiVersionOf(clusterRoleType),
    kind: clusterRoleType.kind,
    metadata: { name, ...(labels && { labels }) },
    ...rest,
    rules,
  }
}

const rulesOf = (role: UserRole): PolicyRule[] =>
  grants.flatMap(({ group, resources, [role]: verbs }) =>
    verbs ? [{ apiGroups: [group].flat(), resources, verbs }] : [],
  )

/** For each role, the aggregated role and the rules of the platform itself. */
export const userActionRoles: ClusterRole[] = userRoles.flatMap((role) => [
  clusterRole(`${clusterRoleName(role)}-core`, { labels: aggregationLabels(role), rules: rulesOf(role) }),
  clusterRole(clusterRoleName(role), {
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregationLabels(role) }] },
  }),
])

/** A role that adds rights on one kind to a role of the platform. */
const addOn = (name: string, to: UserRole, { plural }: ResourceType, verbs: string[]): ClusterRole =>
  clusterRole(name, { labels: aggregationLabels(to), rules: [{ apiGroups: appstudio, resources: [plural], verbs }] })

/**
 * Add-ons of the embedded cluster: the platform grants its users nothing on NudgeConfig and ComponentGroup, so that only
 * an operator who adds roles like these lets them see and change relationships and groups.
 */
export const addOnRoles: ClusterRole[] = [
  addOn('slipway-nudge-configs', 'admin', nudgeConfigType, manage),
  addOn('slipway-component-groups', 'admin', componentGroupType, manage),
  addOn('slipway-component-groups-view', 'maintainer', componentGroupType, read),
]

/** The platform's own role for clusters with Kueue: where runs are in the queues of their namespace. */
export const queueVisibilityRole: ClusterRole = clusterRole('konflux-kueue-visibility', {
  labels: Object.fromEntries(userRoles.flatMap((role) => Object.entries(aggregationLabels(role)))),
  rules: [{ apiGroups: [visibilityGroup], resources: [`localqueues/${pendingWorkloads}`], verbs: get }],
})
