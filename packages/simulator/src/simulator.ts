import type { KubeClient } from '@slipway/kube/client'
import { systemClock, type Clock } from '@slipway/kube/clock'
import { namespaceType } from '@slipway/kube/core-types'
import { nameOf, namespaceOf, type KubeObject } from '@slipway/kube/object'
import { qualifiedPlural, type ResourceType } from '@slipway/kube/resource-type'
import { ApiError, isNotFound } from '@slipway/kube/status'
import type { Controller, ControllerContext, ObjectKey, Source } from './controller'
import { isNamespaceTerminating, namespaceTerminating } from './controllers/ignored-errors'
import { createOutageLog } from '@slipway/kube/outage-log'
import { createInformer, type Change, type Informer } from './informer'
import { keyedRandom } from './keyed-random'
import { createPodLogs, type PodLogs } from './pod-logs'

export interface SimulatorOptions {
  /** Of any Kubernetes API; what it may do is in `roles.ts`. */
  client: KubeClient
  controllers: Controller[]
  /** Those of the same client by default. */
  logs?: PodLogs
  clock?: Clock
  /** The same seed makes the same world. */
  seed?: string
  /** How many times faster than in the real world things happen. */
  speed?: number
  warn?(message: string): void
}

export interface Simulator {
  /** Settles when every kind has been listed. */
  readonly synced: Promise<void>
  /** Settles when nothing is left to do until time passes or somebody changes something. */
  idle(): Promise<void>
  close(): Promise<void>
}

const firstRetryMs = 1_000
/** A world that has been cut off for long must go on soon after. */
const lastRetryMs = 30_000
/** A watch brings a write within milliseconds: what has not come by then is listed. */
const patienceMs = 5_000

/**
 * Runs controllers against a cluster. They take turns, one object at a time: a simulated world needs no more, and so
 * the same beginning always takes the same course.
 */
export function createSimulator(options: SimulatorOptions): Simulator {
  const { controllers, clock = systemClock, seed = 'slipway', speed = 1 } = options
  const warn = options.warn ?? ((message: string) => console.warn(message))
  const interests = interestsOf(controllers)
  const informers = new Map<string, Informer<KubeObject>>()
  const queue = new Map<string, { controller: Controller; key: ObjectKey }>()
  /** Each cancels itself. */
  const timers = new Map<string, () => void>()
  const failures = new Map<string, number>()
  const expected = createExpectations()
  const outages = createOutageLog({ clock, log: warn })
  let isRunning = false
  let isClosed = false
  let running = Promise.resolve()
  let wakeCaughtUp = () => {}

  const context: ControllerContext = {
    client: sparing(expected.watchWrites(options.client)),
    logs: options.logs ?? createPodLogs(options.client),
    now: () => clock.now(),
    timestamp: (atMs = clock.now()) => new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z'),
    scale: (realMs) => realMs / speed,
    random: (key) => keyedRandom(seed, key),
    informer: <T extends KubeObject>(type: ResourceType<T>) => informerOf(type) as unknown as Informer<T>,
  }

  /** Does not send what would be refused for sure. */
  function sparing(client: KubeClient): KubeClient {
    return {
      ...client,
      async create(type, object, writeOptions) {
        const namespace = namespaceOf(object)
        if (namespace !== undefined && isLeaving(namespace)) throw namespaceTerminating(namespace)
        return client.create(type, object, writeOptions)
      },
    }
  }

  function informerOf(type: ResourceType): Informer<KubeObject> {
    const id = qualifiedPlural(type)
    const known = informers.get(id)
    if (known) return known
    const informer = createInformer({
      client: options.client,
      clock,
      type,
      warn,
      onChange: (change) => {
        changed(type, change)
        wakeCaughtUp()
      },
      onSeen: () => wakeCaughtUp(),
      onState: (state) => outages.onState(type.plural, state),
    })
    informers.set(id, informer)
    return informer
  }

  function changed(type: ResourceType, { object, previous }: Change<KubeObject>) {
    const subject = object ?? previous
    if (!subject) return
    for (const { controller, source } of interests.get(qualifiedPlural(type)) ?? []) {
      if (!source) {
        if (object) enqueue(controller, { namespace: namespaceOf(object), name: nameOf(object) })
        continue
      }
      for (const key of source.requests(subject, context)) enqueue(controller, key)
      // What no longer concerns an object did so before.
      if (object && previous) for (const key of source.requests(previous, context)) enqueue(controller, key)
    }
  }

  const idOf = (controller: Controller, { namespace = '', name }: ObjectKey) =>
    `${controller.name} ${namespace}/${name}`

  function enqueue(controller: Controller, key: ObjectKey) {
    if (isClosed) return
    queue.set(idOf(controller, key), { controller, key })
    if (isRunning) return
    isRunning = true
    running = drain()
  }

  /** Instead of what was said before: whoever has just looked knows best when to look again. */
  function wakeAfter(controller: Controller, key: ObjectKey, delayMs: number | undefined) {
    const id = idOf(controller, key)
    timers.get(id)?.()
    timers.delete(id)
    if (delayMs === undefined) return
    const wake = () => {
      timers.delete(id)
      enqueue(controller, key)
    }
    timers.set(id, clock.after(delayMs, wake))
  }

  async function drain(): Promise<void> {
    // Everything must be known before anything is decided by what is not there.
    await synced
    for (;;) {
      await caughtUp()
      const next = queue.entries().next()
      if (next.done || isClosed) {
        isRunning = false
        return
      }
      const [id, { controller, key }] = next.value
      queue.delete(id)
      await reconcile(id, controller, key)
    }
  }

  /** Nothing can be created in a namespace that is being deleted; finalizers of its objects are still removed. */
  function isLeaving(namespace: string): boolean {
    const known = informers.get(qualifiedPlural(namespaceType))?.get(undefined, namespace)
    return known?.metadata.deletionTimestamp !== undefined
  }

  async function reconcile(id: string, controller: Controller, key: ObjectKey): Promise<void> {
    const object = informerOf(controller.type).get(key.namespace, key.name)
    const isWithNamespace = key.namespace !== undefined && isLeaving(key.namespace)
    if (!object || (isWithNamespace && !object.metadata.deletionTimestamp)) {
      failures.delete(id)
      wakeAfter(controller, key, undefined)
      return
    }
    try {
      const outcome = await controller.reconcile(object, context)
      failures.delete(id)
      wakeAfter(controller, key, outcome?.afterMs)
    } catch (error) {
      if (isClosed) return
      const count = failures.get(id) ?? 0
      failures.set(id, count + 1)
      // Somebody else was faster: what they wrote is on its way here.
      const isRace = isNotFound(error) || (error instanceof ApiError && error.code === 409)
      // A call that got no response is tried again; that the connection is lost is reported once for all of them.
      const hadNoResponse = error instanceof ApiError && (error.code === 0 || error.code === 408)
      // It is over when the namespace is.
      if (!isNamespaceTerminating(error) && ((!isRace && !hadNoResponse) || count > 3))
        warn(`${id}: ${error instanceof Error ? error.message : String(error)}`)
      wakeAfter(controller, key, isRace && count === 0 ? 0 : Math.min(firstRetryMs * 2 ** count, lastRetryMs))
    }
  }

  /** Settles once the informers have seen every write of ours. */
  async function caughtUp(): Promise<void> {
    while (!isClosed) {
      const missing = expected.missing((type) => informers.get(type))
      if (missing.length === 0) return
      const isDue = await new Promise<boolean>((resolve) => {
        const cancel = clock.after(patienceMs, () => resolve(true))
        wakeCaughtUp = () => {
          cancel()
          resolve(false)
        }
      })
      if (isDue) for (const informer of missing) informer.refresh()
    }
  }

  for (const { type, sources } of controllers) for (const each of [{ type }, ...sources]) informerOf(each.type)
  const synced = Promise.all([...informers.values()].map((informer) => informer.synced)).then(() => {})

  return {
    synced,
    async idle() {
      await synced
      // Events of a write travel through a few turns of the event loop before anybody hears of them.
      for (let quietTurns = 0; quietTurns < 4 && !isClosed; quietTurns++) {
        await nextTurn()
        if (queue.size === 0 && !isRunning) continue
        quietTurns = -1
        await running
      }
    },
    async close() {
      isClosed = true
      for (const cancel of timers.values()) cancel()
      for (const informer of informers.values()) informer.close()
      wakeCaughtUp()
      await running
    },
  }
}

/** Who is told of the changes of each kind: a controller of its own objects, or by one of its sources. */
function interestsOf(controllers: readonly Controller[]): Map<string, { controller: Controller; source?: Source }[]> {
  const interests = new Map<string, { controller: Controller; source?: Source }[]>()
  const add = (type: ResourceType, interest: { controller: Controller; source?: Source }) => {
    const id = qualifiedPlural(type)
    interests.set(id, [...(interests.get(id) ?? []), interest])
  }
  for (const controller of controllers) {
    add(controller.type, { controller })
    for (const source of controller.sources) add(source.type, { controller, source })
  }
  return interests
}

/** Remembers what was written until the informers have seen it: nobody must decide by what was true before. */
function createExpectations() {
  const written = new Map<string, string>()
  const deleted = new Map<string, Set<string>>()
  const wrote = (type: ResourceType, object: KubeObject) => {
    const { resourceVersion } = object.metadata
    if (resourceVersion) written.set(qualifiedPlural(type), resourceVersion)
  }
  return {
    watchWrites: (client: KubeClient): KubeClient => ({
      ...client,
      async create(type, object, options) {
        const answer = await client.create(type, object, options)
        if (!options?.dryRun) wrote(type, answer)
        return answer
      },
      async replace(type, object, options) {
        const answer = await client.replace(type, object, options)
        if (!options?.dryRun) wrote(type, answer)
        return answer
      },
      async patch(type, name, patch, options) {
        const answer = await client.patch(type, name, patch, options)
        if (!options?.dryRun) wrote(type, answer)
        return answer
      },
      async replaceStatus(type, object) {
        const answer = await client.replaceStatus(type, object)
        wrote(type, answer)
        return answer
      },
      async delete(type, name, options) {
        const answer = await client.delete(type, name, options)
        const uid = 'details' in answer ? (answer.details as { uid?: string } | undefined)?.uid : undefined
        if (uid) deleted.set(qualifiedPlural(type), (deleted.get(qualifiedPlural(type)) ?? new Set()).add(uid))
        else if ('metadata' in answer) wrote(type, answer as KubeObject)
        return answer
      },
    }),
    /** The informers that have not seen everything yet. */
    missing(informerOf: (type: string) => Informer<KubeObject> | undefined): Informer<KubeObject>[] {
      const missing = new Set<Informer<KubeObject>>()
      for (const [type, version] of written) {
        const informer = informerOf(type)
        // Nobody looks at this kind, so nobody can be misled.
        if (informer && !informer.hasSeen(version)) missing.add(informer)
        else written.delete(type)
      }
      for (const [type, uids] of deleted) {
        const informer = informerOf(type)
        for (const uid of uids) {
          if (informer?.byUid(uid)) missing.add(informer)
          else uids.delete(uid)
        }
      }
      return [...missing]
    },
  }
}

/** A turn of the event loop; a timer would wait for at least a millisecond. */
const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))
