import type { ClusterRole } from '@slipway/kube/core-types'
import { expect, it, test } from 'vitest'
import { clusterRoleName, userActionRoles, userRoles, type UserRole } from './user-actions'

/** What the role lets a person do, once the cluster has collected its rules. */
function rulesOf(role: UserRole) {
  const shell = userActionRoles.find((each) => each.metadata.name === clusterRoleName(role))
  const selectors = shell?.aggregationRule?.clusterRoleSelectors ?? []
  const matches = ({ metadata: { labels = {} } }: ClusterRole) =>
    selectors.some(({ matchLabels = {} }) => Object.entries(matchLabels).every(([key, value]) => labels[key] === value))
  return userActionRoles.filter(matches).flatMap((each) => each.rules)
}

const may = (role: UserRole, verb: string, resource: string, group = 'appstudio.redhat.com') =>
  rulesOf(role).some(
    ({ verbs, resources, apiGroups }) =>
      verbs.includes(verb) && resources?.includes(resource) && apiGroups?.includes(group),
  )

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
  ['get', 'pods/log', '', everyone],
  ['list', 'secrets', '', ['admin']],
  ['patch', 'serviceaccounts', '', ['admin']],
  ['list', 'rolebindings', 'rbac.authorization.k8s.io', ['admin', 'maintainer', 'contributor']],
  ['create', 'rolebindings', 'rbac.authorization.k8s.io', ['admin']],
])('%s on %s (%j) is for %j', (verb, resource, group, who) =>
  expect(userRoles.filter((role) => may(role, verb, resource, group))).toEqual(who),
)

const platform: [resource: string, group: string][] = [
  ...['applications', 'components', 'imagerepositories', 'snapshots', 'integrationtestscenarios'].map(own),
  ...['releases', 'releaseplans', 'releaseplanadmissions', 'enterprisecontractpolicies'].map(own),
  ['pipelineruns', 'tekton.dev'],
  ['taskruns', 'tekton.dev'],
  ['results', 'results.tekton.dev'],
  ['records', 'results.tekton.dev'],
  ['logs', 'results.tekton.dev'],
  ['configmaps', ''],
]
function own(resource: string): [string, string] {
  return [resource, 'appstudio.redhat.com']
}
const verbsOf = (role: UserRole, resource: string, group?: string) =>
  ['get', 'create', 'update', 'delete'].filter((verb) => may(role, verb, resource, group))

it('ACC-14 a contributor reads what a platform of this kind has, and nothing else', () => {
  for (const [resource, group] of platform) {
    expect([resource, verbsOf('contributor', resource, group)]).toEqual([resource, ['get']])
  }
  expect(verbsOf('contributor', 'secrets', '')).toEqual([])
  expect(verbsOf('contributor', 'serviceaccounts', '')).toEqual([])
})

it('ACC-15, ACC-17 a maintainer creates and changes applications, components and their images, and deletes none', () => {
  for (const resource of ['applications', 'components', 'imagerepositories']) {
    expect([resource, verbsOf('maintainer', resource)]).toEqual([resource, ['get', 'create', 'update']])
  }
})

it('ACC-18 a maintainer reads the rest', () => {
  for (const [resource, group] of platform.slice(8)) {
    expect([resource, verbsOf('maintainer', resource, group)]).toEqual([resource, ['get']])
  }
})

it('ACC-21 an admin only reads the results of pipelines', () => {
  for (const resource of ['results', 'records', 'logs']) {
    expect([resource, verbsOf('admin', resource, 'results.tekton.dev')]).toEqual([resource, ['get']])
  }
})

it('ACC-16 a maintainer does everything with integration tests and releases', () => {
  for (const resource of ['integrationtestscenarios', 'releases', 'releaseplans', 'releaseplanadmissions']) {
    for (const verb of ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']) {
      expect([resource, verb, may('maintainer', verb, resource)]).toEqual([resource, verb, true])
    }
  }
})

it('ACC-19 an admin manages secrets and role bindings', () => {
  for (const verb of ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']) {
    expect(may('admin', verb, 'secrets', '')).toBe(true)
    expect(may('admin', verb, 'rolebindings', 'rbac.authorization.k8s.io')).toBe(true)
  }
})

it('ACC-19 an admin does everything with what people work on', () => {
  const changed = platform.filter(([resource, group]) => group !== 'results.tekton.dev' && resource !== 'taskruns')
  for (const [resource, group] of changed) {
    expect([resource, verbsOf('admin', resource, group)]).toEqual([resource, ['get', 'create', 'update', 'delete']])
  }
})

it('ACC-20 only an admin opens a shell in a pod', () =>
  expect(userRoles.filter((role) => may(role, 'create', 'pods/exec', ''))).toEqual(['admin']))

it.each(['contributor', 'viewer'] as const)('a %s changes nothing', (role) =>
  expect(new Set(rulesOf(role).flatMap((rule) => rule.verbs))).toEqual(new Set(['get', 'list', 'watch'])),
)

it('each role may do all that the next one may, so that an admin can give them all away', () => {
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
