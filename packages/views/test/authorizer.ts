import type { KubeClient } from '@slipway/kube/client'
import type { Clock } from '@slipway/kube/clock'
import {
  clusterRoleBindingType,
  clusterRoleType,
  roleBindingType,
  type ClusterRole,
  type PolicyRule,
  type ResourceAttributes,
  type RoleBinding,
  type Subject,
} from '@slipway/kube/core-types'
import type { WatchHandlers } from '@slipway/kube/list-watch'
import { nameOf, namespaceOf, type KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import type { UserInfo } from '@slipway/kube/user'
import { groupSubject, roleRef, ruleFor, userSubject } from './authorization-world'

/** What the cluster of the leak test calls roles and bindings, by plural, namespace and name. */
type Objects = ReadonlyMap<string, KubeObject>

/** How reviews end. Those that are held are decided when they are sent, and returned once that has changed. */
export type ReviewMode = 'decided' | 'failed' | 'undecided' | 'held'

interface Spec {
  user: string
  groups: string[]
  resourceAttributes: ResourceAttributes
}

/** An authorizer may not have seen the changes of this time. */
const mostLagMs = 1_000
const readVerbs = ['list', 'watch']

/** Roles and bindings that change, and an authorizer that may be behind, hang or fail. */
export class Authorizer {
  /** Calls as the service. */
  readonly client: Pick<KubeClient, 'review' | 'pages' | 'watch'>
  readonly users: readonly UserInfo[]
  /** How many reviews are waiting for another mode. */
  heldReviews = 0
  readonly #clock: Clock
  readonly #random: () => number
  readonly #types: readonly ResourceType[]
  readonly #namespaces: readonly string[]
  readonly #watches = new Map<WatchHandlers, ResourceType>()
  /** Since when the objects were these; the latest come last. */
  #states: { sinceMs: number; objects: Objects }[]
  /** When users were last allowed what they are not allowed any more. */
  readonly #lastAllowedMs = new Map<string, number>()
  #mode: ReviewMode = 'decided'
  #version = 0
  #release = () => {}
  #held = Promise.resolve()

  /** @param types the kinds that are read @param namespaces where bindings are */
  constructor(
    clock: Clock,
    random: () => number,
    users: readonly UserInfo[],
    types: readonly ResourceType[],
    namespaces: readonly string[],
  ) {
    this.#clock = clock
    this.#random = random
    this.users = users
    this.#types = types
    this.#namespaces = namespaces
    this.#states = [{ sinceMs: -Infinity, objects: new Map() }]
    // The service reads nothing else with it.
    this.client = {
      review: (_: ResourceType, spec: Spec) => this.#review(spec),
      pages: (type: ResourceType) => this.#pages(type),
      watch: (type: ResourceType, _: object, handlers: WatchHandlers) => this.#watch(type, handlers),
    } as unknown as typeof this.client
    for (const role of roles) this.#put(clusterRoleType, this.#aRole(role, types, readVerbs))
    for (const { name } of users) this.#put(roleBindingType, this.#aBinding(this.#pick(namespaces), 'one', [name]))
  }

  get mode() {
    return this.#mode
  }

  set mode(mode: ReviewMode) {
    this.#mode = mode
    this.#release()
    this.#held = new Promise((resolve) => (this.#release = resolve))
  }

  /** Whether a user may list and watch now. */
  mayRead(user: UserInfo, type: ResourceType, namespace: string): boolean {
    return readVerbs.every((verb) => this.#allows(user, type, namespace, verb))
  }

  /** For how long a user has not been allowed to list, or to watch, in ms: authorizers may not see both at the same time. */
  deniedForMs(user: UserInfo, type: ResourceType, namespace: string): number {
    const deniedMs = readVerbs.map((verb) => {
      if (this.#allows(user, type, namespace, verb)) return 0
      return this.#clock.now() - (this.#lastAllowedMs.get(keyOfRight(user, type, namespace, verb)) ?? -Infinity)
    })
    return Math.max(...deniedMs)
  }

  #allows({ name, groups }: UserInfo, { group, plural }: ResourceType, namespace: string, verb: string): boolean {
    return allows(this.#objects, { name, groups }, { verb, group, resource: plural, namespace })
  }

  /** Changes a role or a binding. */
  change() {
    const role = this.#pick(roles)
    const action = this.#random()
    if (action < 0.25) {
      const verbs = this.#random() < 0.8 ? readVerbs : [this.#pick(readVerbs)]
      const types = this.#types.filter(() => this.#random() < 0.8)
      return this.#put(clusterRoleType, this.#aRole(role, types, verbs))
    }
    if (action < 0.3) return this.#delete(clusterRoleType, this.#aRole(role, [], []))
    const isForAll = this.#random() < 0.35
    const type = isForAll ? clusterRoleBindingType : roleBindingType
    const subjects = [this.#pick([...this.users.map(({ name }) => name), ...this.#groups()])]
    const binding = this.#aBinding(isForAll ? undefined : this.#pick(this.#namespaces), role, subjects)
    if (this.#random() < (isForAll ? 0.6 : 0.4)) this.#delete(type, binding)
    else this.#put(type, binding)
  }

  get #objects(): Objects {
    return this.#states.at(-1)?.objects ?? new Map()
  }

  #groups = () => this.users.flatMap(({ groups }) => groups)

  #pick<T>(values: readonly T[]): T {
    // There is always one.
    return values[Math.floor(this.#random() * values.length)] as T
  }

  #aRole(name: string, types: readonly ResourceType[], verbs: string[]): ClusterRole {
    return { metadata: { name }, rules: types.map((type) => ruleFor(type, verbs)) }
  }

  /** One for each role and place, so that its subjects change. */
  #aBinding(namespace: string | undefined, role: string, subjects: string[]): RoleBinding {
    return {
      metadata: { name: role, namespace },
      roleRef: roleRef('ClusterRole', role),
      subjects: subjects.map((each) => (this.#groups().includes(each) ? groupSubject(each) : userSubject(each))),
    }
  }

  #put(type: ResourceType, object: KubeObject) {
    const key = keyOf(type, object)
    const kind = this.#objects.has(key) ? 'MODIFIED' : 'ADDED'
    const metadata = { ...object.metadata, resourceVersion: String(++this.#version) }
    const stored = { ...object, metadata }
    this.#become(new Map([...this.#objects, [key, stored]]))
    this.#report(type, kind, stored)
  }

  #delete(type: ResourceType, { metadata }: KubeObject) {
    const objects = new Map(this.#objects)
    const object = objects.get(keyOf(type, { metadata }))
    if (!object || !objects.delete(keyOf(type, object))) return
    this.#become(objects)
    this.#report(type, 'DELETED', {
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(++this.#version) },
    })
  }

  #become(objects: Objects) {
    const now = this.#clock.now()
    for (const user of this.users) {
      for (const type of this.#types) {
        for (const namespace of this.#namespaces) {
          for (const verb of readVerbs) {
            if (!this.#allows(user, type, namespace, verb)) continue
            this.#lastAllowedMs.set(keyOfRight(user, type, namespace, verb), now)
          }
        }
      }
    }
    this.#states = [
      ...this.#states.filter((_, at, all) => (all[at + 1]?.sinceMs ?? now) > now - mostLagMs),
      { sinceMs: now, objects },
    ]
  }

  #report(type: ResourceType, kind: string, object: KubeObject) {
    for (const [handlers, watched] of this.#watches) {
      if (watched.plural === type.plural) handlers.onMessage(JSON.stringify({ type: kind, object }))
    }
  }

  async *#pages(type: ResourceType) {
    const items = [...this.#objects].filter(([key]) => key.startsWith(`${type.plural}/`)).map(([, object]) => object)
    yield await Promise.resolve({ metadata: { resourceVersion: String(this.#version) }, items })
  }

  #watch(type: ResourceType, handlers: WatchHandlers) {
    this.#watches.set(handlers, type)
    queueMicrotask(() => handlers.onOpen())
    return { close: () => void this.#watches.delete(handlers) }
  }

  async #review({ user: name, groups, resourceAttributes }: Spec): Promise<object> {
    const untilMs = this.#clock.now() - this.#pick([0, 0, mostLagMs - 1])
    const seen = this.#states.findLast(({ sinceMs }) => sinceMs <= untilMs)?.objects ?? this.#objects
    const mode = this.#mode
    // As over a network: reviews that follow one another without end must not keep timers from running.
    await new Promise(setImmediate)
    if (mode === 'held') {
      this.heldReviews++
      await this.#held
      this.heldReviews--
    }
    if (mode === 'failed') throw new Error('The API server cannot be reached.')
    if (mode === 'undecided') return { allowed: false, evaluationError: 'A webhook cannot be reached.' }
    return { allowed: allows(seen, { name, groups }, resourceAttributes) }
  }
}

const roles = ['one', 'two', 'three']

const keyOf = ({ plural }: ResourceType, object: KubeObject) =>
  `${plural}/${namespaceOf(object) ?? ''}/${nameOf(object)}`
const keyOfRight = ({ name }: UserInfo, { plural }: ResourceType, namespace: string, verb: string) =>
  `${name} ${verb} ${plural} ${namespace}`

function allows(objects: Objects, user: UserInfo, { namespace = '', ...access }: ResourceAttributes): boolean {
  const inPlace = [clusterRoleBindingType, ...(namespace === '' ? [] : [roleBindingType])].flatMap(
    ({ plural, namespaced }) =>
      [...objects].filter(([key]) => key.startsWith(`${plural}/${namespaced ? namespace : ''}/`)),
  )
  return inPlace.some(([, object]) => {
    // Only bindings have such keys.
    const {
      roleRef: { name },
      subjects = [],
    } = object as RoleBinding
    const role = objects.get(keyOf(clusterRoleType, { metadata: { name } })) as ClusterRole | undefined
    return (
      subjects.some((subject) => isSubject(user, subject)) && (role?.rules ?? []).some((rule) => covers(rule, access))
    )
  })
}

const isSubject = (user: UserInfo, { kind, name }: Subject) =>
  kind === 'Group' ? user.groups.includes(name) : user.name === name

const covers = ({ resources = [], verbs }: PolicyRule, { verb = '', resource = '' }: ResourceAttributes) =>
  resources.includes(resource) && verbs.includes(verb)
