import type { KubeClient } from '@slipway/kube/client'
import { systemClock, type Clock } from '@slipway/kube/clock'
import { namespaceType } from '@slipway/kube/core-types'
import { untilIdle } from '@slipway/kube/idle'
import { namespaceOf, type KubeObject } from '@slipway/kube/object'
import { qualifiedPlural, type ResourceType } from '@slipway/kube/resource-type'
import { ApiError, isNotFound } from '@slipway/kube/status'
import { createOutageLog } from '@slipway/kube/outage-log'
import { objectKeyOf, type Controller, type ControllerContext, type ObjectKey, type Wake } from './controller'
import { isNamespaceTerminating, namespaceTerminating } from './controllers/ignored-errors'
import { declaredContext } from './declared-context'
import { createInformer, type Change, type Informer } from './informer'
import { keyedRandom } from './keyed-random'
import { createPodLogs, type PodLogs } from './pod-logs'

export interface SimulatorOptions {
  /** Client of any Kubernetes API. `roles.ts` has the permissions that it needs. */
  client: KubeClient
  controllers: Controller[]
  /** Default: the logs of the same cluster. */
  logs?: PodLogs
  clock?: Clock
  /** The same seed results in the same world. */
  seed?: string
  /** How many times faster than real time. */
  speed?: number
  warn?(message: string): void
}

export interface Simulator {
  /** Settles after every kind has been listed. */
  readonly synced: Promise<void>
  /** Settles when nothing is left to do until time passes or an object changes. */
  idle(): Promise<void>
  close(): Promise<void>
}

const firstRetryMs = 1_000
/** Short, so that the simulation continues soon after a long outage. */
const lastRetryMs = 30_000
/** A watch reports a write within milliseconds. If it has not after this time, the kind is listed again. */
const refreshAfterMs = 5_000

/**
 * Runs controllers against a cluster. They reconcile one object at a time: that is fast enough for a simulation, and
 * makes it deterministic.
 */
export function createSimulator(options: SimulatorOptions): Simulator {
  const { controllers, clock = systemClock, seed = 'slipway', speed = 1 } = options
  const warn = options.warn ?? ((message: string) => console.warn(message))
  const interests = interestsOf(controllers)
  const informers = new Map<string, Informer<KubeObject>>()
  const queue = new Map<string, { controller: Controller; key: ObjectKey }>()
  /** Values cancel the timer. */
  const timers = new Map<string, () => void>()
  const failures = new Map<string, number>()
  const expected = createExpectations()
  const outages = createOutageLog({ clock, log: warn })
  let isClosed = false
  let running: Promise<void> | undefined
  let wakeCaughtUp = () => {}

  const context: ControllerContext = {
    client: rejectingFutileCreates(expected.recordingWrites(options.client)),
    logs: options.logs ?? createPodLogs(options.client),
    now: () => clock.now(),
    timestamp: (atMs = clock.now()) => new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z'),
    scale: (realMs) => realMs / speed,
    random: (key) => keyedRandom(seed, key),
    informer: <T extends KubeObject>(type: ResourceType<T>) => informerOf(type) as unknown as Informer<T>,
  }
  const contexts = new Map<Controller, ControllerContext>()
  const contextOf = (controller: Controller) => {
    const known = contexts.get(controller) ?? declaredContext(controller, context)
    contexts.set(controller, known)
    return known
  }

  /** Rejects creations in terminating namespaces without sending them. */
  function rejectingFutileCreates(client: KubeClient): KubeClient {
    return {
      ...client,
      async create(type, object, writeOptions) {
        const namespace = namespaceOf(object)
        if (namespace !== undefined && isTerminating(namespace)) throw namespaceTerminating(namespace)
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
    for (const { controller, wake } of interests.get(qualifiedPlural(type)) ?? []) {
      if (!wake) {
        if (object) enqueue(controller, objectKeyOf(object))
        continue
      }
      const own = contextOf(controller)
      for (const key of wake.requests(subject, own)) enqueue(controller, key)
      // An object that is no longer affected was affected before the change.
      if (object && previous) for (const key of wake.requests(previous, own)) enqueue(controller, key)
    }
  }

  const idOf = (controller: Controller, { namespace = '', name }: ObjectKey) =>
    `${controller.name} ${namespace}/${name}`

  function enqueue(controller: Controller, key: ObjectKey) {
    if (isClosed) return
    queue.set(idOf(controller, key), { controller, key })
    running ??= drain()
  }

  /** Replaces an earlier timer, since the latest reconcile knows best when the next one is due. */
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
    // A reconcile may act on the absence of objects, so wait until all kinds are listed.
    await synced
    for (;;) {
      await caughtUp()
      const next = queue.entries().next()
      if (next.done || isClosed) {
        running = undefined
        return
      }
      const [id, { controller, key }] = next.value
      queue.delete(id)
      await reconcile(id, controller, key)
    }
  }

  /** Nothing can be created in a namespace that is being deleted; finalizers of its objects are still removed. */
  function isTerminating(namespace: string): boolean {
    const known = informers.get(qualifiedPlural(namespaceType))?.get(undefined, namespace)
    return known?.metadata.deletionTimestamp !== undefined
  }

  async function reconcile(id: string, controller: Controller, key: ObjectKey): Promise<void> {
    const object = informerOf(controller.type).get(key.namespace, key.name)
    const isInTerminatingNamespace = key.namespace !== undefined && isTerminating(key.namespace)
    if (!object || (isInTerminatingNamespace && !object.metadata.deletionTimestamp)) {
      failures.delete(id)
      wakeAfter(controller, key, undefined)
      return
    }
    try {
      const outcome = await controller.reconcile(object, contextOf(controller))
      failures.delete(id)
      wakeAfter(controller, key, outcome?.afterMs)
    } catch (error) {
      if (isClosed) return
      const count = failures.get(id) ?? 0
      failures.set(id, count + 1)
      // Another client was faster; its write will arrive by the watch.
      const isRace = isNotFound(error) || (error instanceof ApiError && error.code === 409)
      // A call without a response is retried. The outage log reports a lost connection once for all calls.
      const hadNoResponse = error instanceof ApiError && (error.code === 0 || error.code === 408)
      // No warning for a terminating namespace: this ends with its deletion.
      if (!isNamespaceTerminating(error) && ((!isRace && !hadNoResponse) || count > 3))
        warn(`${id}: ${error instanceof Error ? error.message : String(error)}`)
      wakeAfter(controller, key, isRace && count === 0 ? 0 : Math.min(firstRetryMs * 2 ** count, lastRetryMs))
    }
  }

  /** Settles once the informers have seen all writes of the controllers. */
  async function caughtUp(): Promise<void> {
    while (!isClosed) {
      const missing = expected.missing((type) => informers.get(type))
      if (missing.length === 0) return
      const isDue = await new Promise<boolean>((resolve) => {
        const cancel = clock.after(refreshAfterMs, () => resolve(true))
        wakeCaughtUp = () => {
          cancel()
          resolve(false)
        }
      })
      if (isDue) for (const informer of missing) informer.refresh()
    }
  }

  for (const { reads } of controllers) for (const type of reads) informerOf(type)
  const synced = Promise.all([...informers.values()].map((informer) => informer.synced)).then(() => {})

  return {
    synced,
    async idle() {
      await synced
      await untilIdle(() => running)
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

/** The controllers that changes of each kind affect: directly, or by waking others. */
function interestsOf(controllers: readonly Controller[]): Map<string, { controller: Controller; wake?: Wake }[]> {
  const interests = new Map<string, { controller: Controller; wake?: Wake }[]>()
  const add = (type: ResourceType, interest: { controller: Controller; wake?: Wake }) => {
    const id = qualifiedPlural(type)
    interests.set(id, [...(interests.get(id) ?? []), interest])
  }
  for (const controller of controllers) {
    add(controller.type, { controller })
    for (const wake of controller.wakes) add(wake.type, { controller, wake })
  }
  return interests
}

/** Remembers writes until the informers have seen them, so that no controller acts on outdated objects. */
function createExpectations() {
  const written = new Map<string, string>()
  const deleted = new Map<string, Set<string>>()
  const wrote = (type: ResourceType, object: KubeObject) => {
    const { resourceVersion } = object.metadata
    if (resourceVersion) written.set(qualifiedPlural(type), resourceVersion)
  }
  const recorded = async <T extends KubeObject>(type: ResourceType, call: Promise<T>, isDryRun = false): Promise<T> => {
    const result = await call
    if (!isDryRun) wrote(type, result)
    return result
  }
  return {
    recordingWrites: (client: KubeClient): KubeClient => ({
      ...client,
      create: (type, object, options) => recorded(type, client.create(type, object, options), options?.dryRun),
      replace: (type, object, options) => recorded(type, client.replace(type, object, options), options?.dryRun),
      patch: (type, name, patch, options) => recorded(type, client.patch(type, name, patch, options), options?.dryRun),
      replaceStatus: (type, object) => recorded(type, client.replaceStatus(type, object)),
      async delete(type, name, options) {
        const result = await client.delete(type, name, options)
        const uid = 'details' in result ? (result.details as { uid?: string } | undefined)?.uid : undefined
        if (uid) deleted.set(qualifiedPlural(type), (deleted.get(qualifiedPlural(type)) ?? new Set()).add(uid))
        else if ('metadata' in result) wrote(type, result as KubeObject)
        return result
      },
    }),
    /** The informers that have not yet seen all writes. */
    missing(informerOf: (type: string) => Informer<KubeObject> | undefined): Informer<KubeObject>[] {
      const missing = new Set<Informer<KubeObject>>()
      for (const [type, version] of written) {
        const informer = informerOf(type)
        // No controller reads this kind.
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
