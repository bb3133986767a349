import type { ClusterRole, PolicyRule } from '@slipway/kube/core-types'
import { inEachGroup } from '@slipway/kube/resource-type'
import { expect, it, test } from 'vitest'
import { applicationType } from '../../builds/application'
import { konfluxRules } from '../../testing/konflux-roles'
import { clusterRoleName, queueVisibilityRole, userActionRoles, userRoles, type UserRole } from './user-actions'

/** The rules of a role after the cluster has aggregated them. */
function rulesOf(role: UserRole) {
  const shell = userActionRoles.find((each) => each.metadata.name === clusterRoleName(role))
  const selectors = shell?.aggregationRule?.clusterRoleSelectors ?? []
  const matches = ({ metadata: { labels = {} } }: ClusterRole) =>
    selectors.some(({ matchLabels = {} }) => Object.entries(matchLabels).every(([key, value]) => labels[key] === value))
  return [...userActionRoles, queueVisibilityRole].filter(matches).flatMap((each) => each.rules ?? [])
}

const may = (role: UserRole, verb: string, resource: string, group = 'appstudio.redhat.com') =>
  rulesOf(role).some(
    ({ verbs, resources, apiGroups }) =>
      verbs.includes(verb) && resources?.includes(resource) && apiGroups?.includes(group),
  )

const [newGroup, oldGroup] = inEachGroup(applicationType).map(({ group }) => group)

it.each(userRoles)('a role of a %s has the same rights in both groups of kinds that move', (role) => {
  const groups = rulesOf(role).map(({ apiGroups = [] }) => apiGroups)
  const moving = groups.filter((each) => each.includes(oldGroup ?? ''))
  expect(moving.length).toBeGreaterThan(0)
  for (const each of moving) expect(each).toEqual([newGroup, oldGroup])
})

const everyone = ['admin', 'maintainer', 'contributor', 'viewer']
test.each<[verb: string, resource: string, group: string, who: string[]]>([
  ['get', 'namespaces', '', everyone],
  ['list', 'namespaces', '', []],
  ['list', 'applications', 'appstudio.redhat.com', everyone],
  ['watch', 'components', 'appstudio.redhat.com', everyone],
  ['create', 'applications', 'appstudio.redhat.com', ['admin', 'maintainer']],
  ['delete', 'applications', 'appstudio.redhat.com', ['admin']],
  ['delete', 'integrationtestscenarios', 'appstudio.redhat.com', ['admin', 'maintainer']],
  ['create', 'releases', 'appstudio.redhat.com', ['admin', 'maintainer']],
  ['patch', 'pipelineruns', 'tekton.dev', ['admin']],
  ['watch', 'customruns', 'tekton.dev', everyone],
  ['get', 'pods/log', '', everyone],
  ['list', 'secrets', '', ['admin']],
  ['patch', 'serviceaccounts', '', ['admin']],
  ['list', 'rolebindings', 'rbac.authorization.k8s.io', ['admin', 'maintainer', 'contributor']],
  ['create', 'rolebindings', 'rbac.authorization.k8s.io', ['admin']],
])('%s on %s (group %j) is granted to %j', (verb, resource, group, who) =>
  expect(userRoles.filter((role) => may(role, verb, resource, group))).toEqual(who),
)

/** The kinds that the specification names for the roles, as the resources of current platforms. */
const kinds = {
  applications: [own('applications')],
  components: [own('components')],
  environments: [own('environments')],
  deploymentTargets: [own('deploymenttargets'), own('deploymenttargetclaims')],
  gitOps: [
    'gitopsdeployments',
    'gitopsdeploymentmanagedenvironments',
    'gitopsdeploymentrepositorycredentials',
    'gitopsdeploymentsyncruns',
  ].map((resource) => `${resource}.managed-gitops.redhat.com`),
  pipelineRuns: ['pipelineruns.tekton.dev'],
  pipelineResults: ['results', 'records', 'logs'].map((resource) => `${resource}.results.tekton.dev`),
  integrationTests: [own('integrationtestscenarios')],
  enterpriseContract: [own('enterprisecontractpolicies')],
  releaseService: ['releases', 'releaseplans', 'releaseplanadmissions'].map(own),
  jvmBuildService: ['jbsconfigs.jvmbuildservice.io', 'artifactbuilds.jvmbuildservice.io'],
  serviceAccess: ['spiaccesstokens', 'spiaccesstokenbindings', 'spiaccesschecks', 'remotesecrets'].map(own),
  buildService: [own('buildpipelineselectors')],
  configs: ['configmaps'],
}
/** Kinds newer than the specification, which users need in order to read runs, their logs and role bindings. */
const since = [
  ...['imagerepositories', 'snapshots'].map(own),
  'taskruns.tekton.dev',
  'customruns.tekton.dev',
  'namespaces',
  'pods',
  'pods/log',
  'localqueues/pendingworkloads.visibility.kueue.x-k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
]
function own(resource: string): string {
  return `${resource}.appstudio.redhat.com`
}

/** The verbs by resource and group, such as `applications.appstudio.redhat.com`; `list` and `watch` count as `get`. */
function rights(role: UserRole): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const { apiGroups = [], resources = [], verbs } of rulesOf(role))
    // A rule for kinds that move names their new group beside the old one.
    for (const group of apiGroups.filter((each) => each !== newGroup))
      for (const resource of resources) {
        const key = [resource, group].filter(Boolean).join('.')
        const own = found.get(key) ?? new Set()
        for (const verb of verbs) own.add(verb === 'list' || verb === 'watch' ? 'get' : verb)
        found.set(key, own)
      }
  return found
}
const verbsOf = (role: UserRole, kind: string) => [...(rights(role).get(kind) ?? [])].sort()
const rightsTo = (role: UserRole, all: readonly string[]) => all.map((kind) => [kind, verbsOf(role, kind)])
const each = (all: readonly string[], ...verbs: string[]) => all.map((kind) => [kind, [...verbs].sort()])
const named = Object.values(kinds).flat()

it('ACC-14 a contributor can read every kind that the specification names', () =>
  expect(rightsTo('contributor', named)).toEqual(each(named, 'get')))

it('ACC-14 a contributor can read nothing else but newer kinds, and can change nothing', () => {
  expect([...rights('contributor').keys()].sort()).toEqual([...named, ...since].sort())
  expect(new Set([...rights('contributor').values()].flatMap((verbs) => [...verbs]))).toEqual(new Set(['get']))
})

it('ACC-15 a maintainer can create, read and update applications, components, JVM builds and service access', () => {
  const edited = [...kinds.applications, ...kinds.components, ...kinds.jvmBuildService, ...kinds.serviceAccess]
  expect(rightsTo('maintainer', edited)).toEqual(each(edited, 'get', 'create', 'update', 'patch'))
})

it('ACC-17 a maintainer can create and read build service kinds, but not change or delete them', () =>
  expect(rightsTo('maintainer', kinds.buildService)).toEqual(each(kinds.buildService, 'get', 'create')))

it('ACC-18 a maintainer can only read all other kinds', () => {
  const { environments, deploymentTargets, gitOps, pipelineRuns, pipelineResults, enterpriseContract, configs } = kinds
  const rest = [environments, deploymentTargets, gitOps, pipelineRuns, pipelineResults, enterpriseContract, configs]
  expect(rightsTo('maintainer', rest.flat())).toEqual(each(rest.flat(), 'get'))
  expect(verbsOf('maintainer', 'secrets')).toEqual([])
})

it('ACC-21 an admin can only read GitOps kinds and pipeline results', () => {
  const readOnly = [...kinds.gitOps, ...kinds.pipelineResults]
  expect(rightsTo('admin', readOnly)).toEqual(each(readOnly, 'get'))
})

it('ACC-16 a maintainer has full access to integration tests and releases', () => {
  for (const resource of ['integrationtestscenarios', 'releases', 'releaseplans', 'releaseplanadmissions']) {
    for (const verb of ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']) {
      expect([resource, verb, may('maintainer', verb, resource)]).toEqual([resource, verb, true])
    }
  }
})

it('ACC-19 an admin can manage secrets and role bindings', () => {
  for (const verb of ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']) {
    expect(may('admin', verb, 'secrets', '')).toBe(true)
    expect(may('admin', verb, 'rolebindings', 'rbac.authorization.k8s.io')).toBe(true)
  }
})

it('ACC-19 an admin has full access to every other kind', () => {
  const readOnly = new Set([...kinds.gitOps, ...kinds.pipelineResults])
  for (const kind of named.filter((kind) => !readOnly.has(kind))) {
    expect([kind, verbsOf('admin', kind)]).toEqual([
      kind,
      expect.arrayContaining(['get', 'create', 'update', 'patch', 'delete']),
    ])
  }
})

it('ACC-20 only an admin can open a shell in a pod', () =>
  expect(userRoles.filter((role) => may(role, 'create', 'pods/exec', ''))).toEqual(['admin']))

/** Each right that rules grant, such as `list pods` or `get components.konflux-ci.dev`. */
function rightsIn(rules: readonly PolicyRule[]): Set<string> {
  const kindsOf = ({ resources = [], apiGroups = [] }: PolicyRule) =>
    resources.flatMap((resource) => apiGroups.map((group) => [resource, group].filter(Boolean).join('.')))
  return new Set(rules.flatMap((rule) => kindsOf(rule).flatMap((kind) => rule.verbs.map((verb) => `${verb} ${kind}`))))
}
const without = (rights: Set<string>, others: Set<string>) => [...rights].filter((right) => !others.has(right))
const kindsIn = (rights: Iterable<string>) =>
  [...new Set([...rights].map((right) => right.replace(/^\w+ /, '')))].sort()
const moved = (resource: string) => `${resource}.konflux-ci.dev`
/** Named by the specification, but not served by current platforms. */
const unserved = [
  ...['environments', 'deploymenttargets', 'deploymenttargetclaims', 'buildpipelineselectors'].flatMap(inBothGroups),
  ...['spiaccesstokens', 'spiaccesstokenbindings', 'spiaccesschecks', 'remotesecrets'].flatMap(inBothGroups),
  ...kinds.gitOps,
  ...kinds.jvmBuildService,
]
function inBothGroups(resource: string): string[] {
  return [own(resource), moved(resource)]
}
/** Konflux grants components and image repositories in both groups already. */
const moving = [
  ...['applications', 'snapshots', 'integrationtestscenarios', 'enterprisecontractpolicies'],
  ...['releases', 'releaseplans', 'releaseplanadmissions'],
].map(moved)
const lacking = ['projects', 'projectdevelopmentstreams', 'projectdevelopmentstreamtemplates'].map(
  (resource) => `${resource}.projctl.konflux.dev`,
)

it.each<[UserRole, string[]]>([
  ['viewer', []],
  ['contributor', []],
  ['maintainer', []],
  ['admin', ['pods/exec']],
])('the role %s differs from that of Konflux in these kinds only', (role, more) => {
  const [here, there] = [rightsIn(rulesOf(role)), rightsIn(konfluxRules[role])]
  expect(kindsIn(without(here, there))).toEqual([...unserved, ...moving, 'customruns.tekton.dev', ...more].sort())
  expect(kindsIn(without(there, here))).toEqual([...lacking].sort())
})

it('no role, here or in Konflux, can read events', () => {
  for (const role of userRoles)
    for (const rules of [rulesOf(role), konfluxRules[role]])
      expect(kindsIn(rightsIn(rules)).filter((kind) => kind.startsWith('events'))).toEqual([])
})

it.each(['contributor', 'viewer'] as const)('a %s can change nothing', (role) =>
  expect(new Set(rulesOf(role).flatMap((rule) => rule.verbs))).toEqual(new Set(['get', 'list', 'watch'])),
)

it('each role includes the permissions of the next one, so that an admin can grant all of them', () => {
  for (const [role, lesser] of [
    ['admin', 'maintainer'],
    ['maintainer', 'contributor'],
    ['contributor', 'viewer'],
  ] as const) {
    for (const { apiGroups = [], resources = [], verbs } of rulesOf(lesser)) {
      for (const group of apiGroups)
        for (const resource of resources)
          for (const verb of verbs) expect([role, verb, resource, may(role, verb, resource, group)]).toContain(true)
    }
  }
})
