import type { ClusterRole, PolicyRule, Role, RoleBinding } from '@slipway/kube/core-types'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { clusterRoleBindings } from '../builtin/clusterrolebindings'
import { clusterRoles } from '../builtin/clusterroles'
import { roleBindings } from '../builtin/rolebindings'
import { roles } from '../builtin/roles'
import { accessObjects } from '../registry/access-objects'
import { collectionOf, keyOf, type ResourceInfo } from '../resource'
import { memoryStorage } from '../storage/memory'
import { createAuthorizer, type AccessObjects } from './authorizer'
import type { Attributes } from './rules'
import { aBinding, aClusterRole, aGroup, aRole, aServiceAccount, aUser } from './testing'

/** The authorizer on stored objects, with its indexes and aggregated roles. */
async function authorizerOver(objects: AccessObjects) {
  const storage = memoryStorage()
  const put = async (resource: ResourceInfo, { metadata, ...rest }: Role | RoleBinding, at: number) => {
    // Bindings of the same name would overwrite each other.
    const name = 'roleRef' in rest ? `b${at}` : (metadata.name ?? '')
    const value = JSON.stringify({ apiVersion: '', kind: '', metadata: { ...metadata, name }, ...rest })
    const key = keyOf(metadata.namespace, name)
    await storage.write({ collection: collectionOf(resource.type), key, expected: undefined, type: 'put', value })
  }
  const all: [ResourceInfo, readonly (Role | RoleBinding)[]][] = [
    [roles, objects.roles],
    [clusterRoles, objects.clusterRoles],
    [roleBindings, objects.roleBindings],
    [clusterRoleBindings, objects.clusterRoleBindings],
  ]
  for (const [resource, of] of all) for (const [at, object] of of.entries()) await put(resource, object, at)
  return createAuthorizer(accessObjects(storage))
}

/** The same decision without indexes: checks every binding, subject and rule, and follows every role. */
function naively(objects: AccessObjects, attributes: Attributes): boolean {
  const { user, namespace } = attributes
  const applies = (binding: RoleBinding) =>
    !!binding.subjects?.some((subject) => {
      if (subject.kind === 'Group') return user.groups.includes(subject.name)
      if (subject.kind === 'User') return subject.name === user.name
      const home = subject.namespace || binding.metadata.namespace
      return user.name === `system:serviceaccount:${home}:${subject.name}`
    })
  const gathered = (role: ClusterRole, seen: ClusterRole[] = []): PolicyRule[] => {
    if (seen.includes(role)) return []
    if (!role.aggregationRule) return role.rules ?? []
    const labels = (role.aggregationRule.clusterRoleSelectors ?? []).map(({ matchLabels = {} }) => matchLabels)
    return objects.clusterRoles
      .filter(({ metadata }) =>
        labels.some((wanted) => Object.entries(wanted).every(([key, value]) => metadata.labels?.[key] === value)),
      )
      .flatMap((part) => gathered(part, [...seen, role]))
  }
  const rulesOf = ({ roleRef, metadata }: RoleBinding): PolicyRule[] => {
    if (roleRef.kind === 'ClusterRole') {
      return objects.clusterRoles
        .filter((role) => role.metadata.name === roleRef.name)
        .flatMap((role) => gathered(role))
    }
    return objects.roles
      .filter((role) => role.metadata.name === roleRef.name && role.metadata.namespace === metadata.namespace)
      .flatMap((role) => role.rules ?? [])
  }
  return [
    ...objects.clusterRoleBindings,
    ...objects.roleBindings.filter((binding) => binding.metadata.namespace === namespace),
  ]
    .filter(applies)
    .flatMap(rulesOf)
    .some((rule) => ruleFits(rule, attributes))
}

function ruleFits(rule: PolicyRule, { verb, group = '', resource = '', subresource, name, path }: Attributes): boolean {
  const has = (values: string[] | undefined, ...wanted: string[]) =>
    !!values?.some((value) => value === '*' || wanted.includes(value))
  if (!has(rule.verbs, verb)) return false
  if (path !== undefined) {
    return !!rule.nonResourceURLs?.some((url) => (url.endsWith('*') ? path.startsWith(url.slice(0, -1)) : url === path))
  }
  const things = subresource ? [`${resource}/${subresource}`, `*/${subresource}`] : [resource]
  if (!has(rule.apiGroups, group) || !has(rule.resources, ...things)) return false
  if (!rule.resourceNames?.length) return true
  const carriesName = verb !== 'deletecollection' && (verb !== 'create' || subresource !== undefined)
  return carriesName && name !== undefined && rule.resourceNames.includes(name)
}

const oneOf = (...values: string[]) => fc.constantFrom(...values)
const some = (...values: string[]) => fc.subarray(values, { minLength: 1 })
/** Prefers many items instead of few: otherwise, most requests would be denied. */
const full = { size: 'max' } as const
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const namespaces = oneOf('a', 'b')

const resourceRule = fc.record<PolicyRule>({
  verbs: some('get', 'list', 'create', 'deletecollection', '*'),
  apiGroups: some('', 'x.io', '*'),
  resources: some('pods', 'secrets', 'pods/log', '*/log', '*'),
  resourceNames: maybe(some('n', 'm')),
})
const pathRule = fc.record<PolicyRule>({
  verbs: some('get', 'post', '*'),
  nonResourceURLs: some('/version', '/apis', '/apis/*', '/a*', '*'),
})
const rules = fc.array(fc.oneof({ weight: 3, arbitrary: resourceRule }, pathRule), {
  ...full,
  minLength: 1,
  maxLength: 3,
})
const roleNames = oneOf('r', 's', 't', 'u')
const labels = fc.subarray(['x', 'y']).map((keys) => Object.fromEntries(keys.map((key) => [key, 'true'])))
const selectors = fc.array(some('x', 'y'), { minLength: 1, maxLength: 2 })
const clusterRole = fc
  .tuple(roleNames, rules, labels, maybe(selectors))
  .map(([name, of, labelled, gathers]): ClusterRole => {
    // An aggregated role has no rules of its own.
    const role = aClusterRole(name, ...(gathers ? [] : of))
    const clusterRoleSelectors = gathers?.map((keys) => ({
      matchLabels: Object.fromEntries(keys.map((key) => [key, 'true'])),
    }))
    return {
      ...role,
      metadata: { ...role.metadata, labels: labelled },
      ...(clusterRoleSelectors && { aggregationRule: { clusterRoleSelectors } }),
    }
  })
const subject = fc.oneof(
  oneOf('ada', 'bob').map(aUser),
  oneOf('dev', 'ops').map(aGroup),
  maybe(namespaces).map((namespace) => aServiceAccount('robot', namespace)),
)
const subjects = fc.array(subject, { ...full, minLength: 1, maxLength: 3 })
const nameOf = ({ metadata }: { metadata: { name?: string; namespace?: string } }) =>
  `${metadata.namespace ?? ''}/${metadata.name ?? ''}`
const unique = { ...full, maxLength: 4, selector: nameOf }
const objects = fc.record<AccessObjects>({
  roles: fc.uniqueArray(
    fc.tuple(namespaces, roleNames, rules).map(([namespace, name, of]) => aRole(namespace, name, ...of)),
    unique,
  ),
  clusterRoles: fc.uniqueArray(clusterRole, unique),
  roleBindings: fc.array(
    fc
      .tuple(namespaces, oneOf('Role', 'ClusterRole'), roleNames, subjects)
      .map(([namespace, kind, role, of]) => aBinding(namespace, 'b', `${kind}/${role}`, ...of)),
    { ...full, maxLength: 6 },
  ),
  clusterRoleBindings: fc.array(
    fc.tuple(roleNames, subjects).map(([role, of]) => aBinding(undefined, 'b', `ClusterRole/${role}`, ...of)),
    { ...full, maxLength: 4 },
  ),
})
const user = fc.record({
  name: oneOf('ada', 'bob', 'system:serviceaccount:a:robot', 'system:serviceaccount:b:robot'),
  groups: fc.subarray(['dev', 'ops']),
})
const attributes = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record<Attributes>({
      user,
      verb: oneOf('get', 'list', 'create', 'deletecollection'),
      group: oneOf('', 'x.io'),
      resource: oneOf('pods', 'secrets'),
      subresource: maybe(oneOf('log', 'status')),
      namespace: maybe(namespaces),
      name: maybe(oneOf('n', 'm')),
    }),
  },
  fc.record<Attributes>({ user, verb: oneOf('get', 'post'), path: oneOf('/version', '/apis', '/apis/x.io', '/') }),
)

it('the authorizer decides like a naive evaluation of the same objects', async () => {
  const decided = { yes: 0, no: 0 }
  await fc.assert(
    fc.asyncProperty(objects, fc.array(attributes, { minLength: 24, maxLength: 24 }), async (given, questions) => {
      const authorizer = await authorizerOver(given)
      for (const attributes of questions) {
        const allowed = naively(given, attributes)
        decided[allowed ? 'yes' : 'no']++
        expect(authorizer.authorize(attributes).allowed).toBe(allowed)
      }
    }),
    { numRuns: 500 },
  )
  // The test would prove little if almost all requests were denied.
  expect(decided.yes).toBeGreaterThan(100)
})
