import type { Clock } from '@slipway/kube/clock'
import { nameOf, namespaceOf, uidOf, type KubeObject } from '@slipway/kube/object'
import { defineResource } from '@slipway/kube/resource-type'
import { groupBy } from '@slipway/model/grouping'
import type { Verdict } from '../src/rights'
import type { Groups, ViewKind } from '../src/view-kind'

/** What the leak test runs against: kinds, a cluster that remembers its versions, and time. */

export interface Thing extends KubeObject {
  spec: { state?: string; tags?: string[]; size?: number; hidden?: string }
}

const states = ['waiting', 'running', 'done']

const kindOf = (plural: string, kind: string): ViewKind<Thing> => ({
  id: plural,
  type: defineResource<Thing>({ group: 'slipway.test', version: 'v1', kind, plural, namespaced: true }),
  mask: ['metadata.name', 'metadata.namespace', 'spec.state', 'spec.tags', 'spec.size'],
  fields: {
    name: { is: 'text', of: nameOf },
    state: { is: 'choice', of: ({ spec }) => spec.state, order: states },
    tags: { is: 'choice', of: ({ spec }) => spec.tags },
    size: { is: 'number', of: ({ spec }) => spec.size },
  },
  order: '-size',
  text: nameOf,
  identifiers: (thing) => [nameOf(thing), `${thing.spec.state}-${thing.spec.size}`],
})

const things = kindOf('things', 'Thing')
/** The kinds that the cluster has. */
export const sources = [things, kindOf('others', 'Other')]

/** What the things of one state have in common. */
const stateGroups: Groups<Thing, Thing> = {
  kind: things,
  keyOf: ({ spec }) => spec.state,
  rowOf(members) {
    const sizes = members.flatMap(({ spec }) => spec.size ?? [])
    return {
      metadata: { name: members.map(nameOf).sort()[0] },
      spec: {
        state: members[0]?.spec.state,
        tags: tags.filter((tag) => members.some(({ spec }) => spec.tags?.includes(tag))),
        ...(sizes.length > 0 && { size: sizes.reduce((sum, size) => sum + size, 0) }),
      },
    }
  },
}
const stateOfThings: ViewKind<Thing> = { ...things, id: 'thing-states', groups: stateGroups }
export const kinds = [...sources, stateOfThings]

export const namespaces = ['team-a', 'team-b', 'team-c', 'team-d']
export const namesInUse = ['apple', 'apricot', 'banana', 'blueberry', 'cherry', 'cranberry']
export const tags = ['red', 'green', 'blue', '["red","green"]']
export { states }

/** Time that a test advances, and whose timers run within `advance`. */
export interface TestClock extends Clock {
  advance(ms: number): void
}

export function testClock(): TestClock {
  let nowMs = Date.UTC(2026, 0, 31, 9)
  let timers: { at: number; run: () => void }[] = []
  return {
    now: () => nowMs,
    after(delayMs, run) {
      const timer = { at: nowMs + delayMs, run }
      timers.push(timer)
      return () => (timers = timers.filter((other) => other !== timer))
    },
    advance(ms) {
      const end = nowMs + ms
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
        if (!next) break
        timers = timers.filter((timer) => timer !== next)
        nowMs = Math.max(nowMs, next.at)
        next.run()
      }
      nowMs = end
    },
  }
}

export interface LoggedEvent {
  version: number
  type: 'ADDED' | 'MODIFIED' | 'DELETED'
  object: Thing
}

/** The objects of one kind in one namespace. */
class Collection {
  readonly events: LoggedEvent[] = []
  /** The objects after each of the latest changes, by uid. */
  readonly #states: { version: number; objects: ReadonlyMap<string, Thing> }[] = [{ version: 0, objects: new Map() }]

  get current(): ReadonlyMap<string, Thing> {
    return this.at(Infinity)
  }

  at(version: number): ReadonlyMap<string, Thing> {
    return this.#states.findLast((state) => state.version <= version)?.objects ?? new Map()
  }

  add(event: LoggedEvent) {
    const objects = new Map(this.current)
    if (event.type === 'DELETED') objects.delete(uidOf(event.object))
    else objects.set(uidOf(event.object), event.object)
    this.events.push(event)
    this.#states.push({ version: event.version, objects })
    if (this.#states.length > 500) this.#states.shift()
  }
}

/** A cluster that remembers what it contained at each version. */
export class Cluster {
  /** Versions of the first hundred steps have two digits, so that those of three are compared with them. */
  version = 90
  readonly #collections = new Map<string, Collection>()
  #lastUid = 0

  collection(kind: string, namespace: string): Collection {
    const key = `${kind} ${namespace}`
    const known = this.#collections.get(key) ?? new Collection()
    this.#collections.set(key, known)
    return known
  }

  /** What a kind has in a namespace at a version. */
  list({ id, groups }: ViewKind<Thing>, namespace: string, version = Infinity): Thing[] {
    if (!groups) return [...this.collection(id, namespace).at(version).values()]
    const members = groupBy(this.list(things, namespace, version), (thing) => stateGroups.keyOf(thing))
    return [...members].map(([key, objects]) => {
      const row = stateGroups.rowOf(objects)
      return { ...row, metadata: { ...row.metadata, namespace, uid: `${namespace}/${key}` } }
    })
  }

  create(kind: string, namespace: string, name: string, spec: Thing['spec']) {
    // The order of uids has nothing to do with that of versions.
    const uid = `${(++this.#lastUid * 7_919) % 10_007}-${this.#lastUid}`
    this.#log(kind, 'ADDED', { metadata: { name, namespace, uid }, spec })
  }

  update(kind: string, thing: Thing, spec: Thing['spec']) {
    this.#log(kind, 'MODIFIED', { ...thing, spec })
  }

  delete(kind: string, thing: Thing) {
    this.#log(kind, 'DELETED', thing)
  }

  #log(kind: string, type: LoggedEvent['type'], thing: Thing) {
    const version = ++this.version
    const object = { ...thing, metadata: { ...thing.metadata, resourceVersion: String(version) } }
    this.collection(kind, namespaceOf(object) ?? '').add({ version, type, object })
  }
}

/** What users may read, by user, kind and namespace. */
export class Verdicts {
  readonly #verdicts = new Map<string, Verdict>()
  readonly #listeners = new Map<string, Set<() => void>>()

  of(user: string, kind: string, namespace: string): Verdict {
    return this.#verdicts.get(`${user} ${kind} ${namespace}`) ?? 'unknown'
  }

  set(user: string, kind: string, namespace: string, verdict: Verdict) {
    this.#verdicts.set(`${user} ${kind} ${namespace}`, verdict)
    for (const listener of [...this.listeners(user)]) listener()
  }

  listeners(user: string): Set<() => void> {
    const known = this.#listeners.get(user) ?? new Set()
    this.#listeners.set(user, known)
    return known
  }
}
