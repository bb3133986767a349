import type { RoleBinding, Subject } from '@slipway/kube/core-types'
import { nameOf, namespaceOf, type KubeObject } from '@slipway/kube/object'
import { serviceAccountUser, type UserInfo } from '@slipway/kube/user'

/** The kinds of RBAC. */
export type RbacKind = 'Role' | 'ClusterRole' | 'RoleBinding' | 'ClusterRoleBinding'

/** The users whose rights a change may concern, and where. */
export interface Concern {
  /** `undefined` for every namespace. */
  namespace: string | undefined
  /** As in `subjectsOf`. */
  subjects: readonly string[]
}

/**
 * Which roles are bound to which users: what is needed to say whose rights a change of RBAC may concern. It decides
 * nothing, and retains no rules: the cluster is asked what a user may do.
 */
export interface Grants {
  /** @returns the concerns of all changes since the list before; of the first list, those of all of its bindings */
  replace(kind: RbacKind, objects: readonly KubeObject[]): Concern[]
  set(kind: RbacKind, object: KubeObject): Concern[]
  delete(kind: RbacKind, object: KubeObject): Concern[]
}

/** What bindings can name a user by. */
export const subjectsOf = ({ name, groups }: Pick<UserInfo, 'name' | 'groups'>): string[] => [
  userKey(name),
  ...groups.map(groupKey),
]

const userKey = (name: string) => `user ${name}`
const groupKey = (name: string) => `group ${name}`

/** Of a role nothing but its version is known. */
interface Known {
  version: string | undefined
  binding?: { namespace: string | undefined; role: string; subjects: string[] }
}

export function createGrants(): Grants {
  const known = new Map<string, Known>()
  const bindingsOf = new Map<string, Set<string>>()

  function concernsOf(key: string, kind: RbacKind): Concern[] {
    const binding = known.get(key)?.binding
    if (binding) return [binding]
    if (kind === 'RoleBinding' || kind === 'ClusterRoleBinding') return []
    return [...(bindingsOf.get(key) ?? [])].flatMap((each) => known.get(each)?.binding ?? [])
  }

  function forget(key: string): void {
    const role = known.get(key)?.binding?.role
    known.delete(key)
    if (role === undefined) return
    const bindings = bindingsOf.get(role)
    bindings?.delete(key)
    if (bindings?.size === 0) bindingsOf.delete(role)
  }

  const set: Grants['set'] = (kind, object) => {
    const key = keyOf(kind, object)
    const before = concernsOf(key, kind)
    const entry = toKnown(kind, object)
    forget(key)
    known.set(key, entry)
    if (!entry.binding) return before
    const { role } = entry.binding
    bindingsOf.set(role, (bindingsOf.get(role) ?? new Set()).add(key))
    return [...before, entry.binding]
  }

  function remove(kind: RbacKind, key: string): Concern[] {
    const before = concernsOf(key, kind)
    forget(key)
    return before
  }

  return {
    set,
    delete: (kind, object) => remove(kind, keyOf(kind, object)),
    replace(kind, objects) {
      const listed = new Map(objects.map((object) => [keyOf(kind, object), object]))
      const gone = [...known.keys()].filter((key) => key.startsWith(`${kind}/`) && !listed.has(key))
      const changed = [...listed].filter(([key, { metadata }]) => known.get(key)?.version !== metadata.resourceVersion)
      return [...gone.flatMap((key) => remove(kind, key)), ...changed.flatMap(([, object]) => set(kind, object))]
    },
  }
}

const isBinding = (kind: RbacKind): boolean => kind === 'RoleBinding' || kind === 'ClusterRoleBinding'

const roleKey = (kind: string, namespace: string | undefined, name: string): string =>
  kind === 'Role' ? `Role/${namespace ?? ''}/${name}` : `ClusterRole//${name}`

const keyOf = (kind: RbacKind, object: KubeObject): string => `${kind}/${namespaceOf(object) ?? ''}/${nameOf(object)}`

function toKnown(kind: RbacKind, object: KubeObject): Known {
  const version = object.metadata.resourceVersion
  if (!isBinding(kind)) return { version }
  // Of its kind.
  const { roleRef, subjects = [] } = object as RoleBinding
  const namespace = namespaceOf(object)
  const role = roleKey(roleRef.kind, namespace, roleRef.name)
  return { version, binding: { namespace, role, subjects: subjects.map((each) => subjectKey(each, namespace)) } }
}

function subjectKey({ kind, name, namespace }: Subject, bindingNamespace = ''): string {
  if (kind === 'Group') return groupKey(name)
  return userKey(kind === 'User' ? name : serviceAccountUser(namespace ?? bindingNamespace, name))
}
