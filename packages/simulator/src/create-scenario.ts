import type { KubeClient } from '@slipway/kube/client'
import {
  configMapType,
  namespaceType,
  podType,
  serviceAccountType,
  type ConfigMap,
  type Pod,
} from '@slipway/kube/core-types'
import { isRecord, nameOf, namespaceOf, type KubeObject } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { isAlreadyExists, isNotFound } from '@slipway/kube/status'
import { keyedRandom } from './keyed-random'
import { ignoreExisting, ignoreMissing } from './controllers/ignored-errors'
import { createPodLogs, type PodLocation, type PodLogs } from './pod-logs'
import type { ScenarioName } from './scenario-names'
import { scenarios } from './scenarios'
import type { ArchivedSeeds, ScenarioContext, Seed } from './scenarios/scenario'
import type { FinishedLog } from './tekton/history'
import type { World } from './tekton/plan'

export interface CreateScenarioOptions extends Omit<ScenarioContext, 'nowMs' | 'world'> {
  client: KubeClient
  /** Those of the same client by default. */
  logs?: PodLogs
  /** Keeps what is no longer in the cluster; without it, that is lost. */
  archive?: { keep(archived: ArchivedSeeds): Promise<void> }
  /** Milliseconds since 1970. */
  now(): number
  seed?: string
  /**
   * Does this as if it were that time in the cluster: then objects are as old as they should be. Without it they were
   * all created now, as in a cluster of somebody else.
   */
  inTime?<T>(atMs: number, work: () => Promise<T>): Promise<T>
  /** How many objects are written at a time; one, for the same versions and uids each time. */
  writers?: number
}

/** Says which scenario was begun and when, so that it is made once: what people delete does not come back. */
const markerLocation = { name: 'slipway-scenario', namespace: 'konflux-info' }

/** The scenario that the cluster was made with, which may be one of another version; `undefined` if none was. */
export const scenarioOf = async (client: KubeClient): Promise<string | undefined> =>
  (await readMarker(client))?.data?.['scenario']

const readMarker = (client: KubeClient): Promise<ConfigMap | undefined> =>
  client.get(configMapType, markerLocation.name, markerLocation).catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })

/**
 * Creates what a scenario consists of, on a cluster on which the platform is installed. Once it is done it is never done
 * again, and a start that was interrupted is made good.
 */
export async function createScenario(name: ScenarioName, options: CreateScenarioOptions): Promise<void> {
  const { seeds, seedsAtOnce, archived } = scenarios[name]
  const {
    client,
    archive,
    now,
    inTime = (_, work) => work(),
    writers = 32,
    logs = createPodLogs(client),
    ...places
  } = options
  const marker = (await readMarker(client)) ?? (await createMarker(client, name, now()))
  if (marker.data?.['scenario'] !== name || marker.data['state'] === 'created') return
  // That of the first try, if this is another one: then both have made the same objects.
  const nowMs = Date.parse(marker.data['begun'] ?? '') || now()
  const world: World = {
    random: (key) => keyedRandom(options.seed ?? 'slipway', `scenario ${name} ${key}`),
    scale: (realMs) => realMs,
  }
  const context: ScenarioContext = { ...places, nowMs, world }
  const { write, withKnownUids } = createWriter(client, logs)
  const writeAt = (each: Seed, atMs: number) => inTime(atMs, () => write(each))
  await writeAll(seeds(context), { nowMs, atOnce: seedsAtOnce, writers, write: writeAt })
  for (const { objects, logs } of (archive && archived?.(context)) ?? []) {
    // What has gone may belong to what is still there.
    await archive?.keep({ objects: objects.map(withKnownUids), logs })
  }
  await client.replace(configMapType, { ...marker, data: { ...marker.data, state: 'created' } })
}

const createMarker = (client: KubeClient, scenario: string, nowMs: number): Promise<ConfigMap> =>
  client.create(configMapType, {
    apiVersion: apiVersionOf(configMapType),
    kind: configMapType.kind,
    metadata: markerLocation,
    data: { scenario, begun: new Date(nowMs).toISOString(), state: 'begun' },
  })

const dayMs = 24 * 3_600_000

interface WriteOptions {
  nowMs: number
  /** How many are held. */
  atOnce?: number
  writers: number
  write(seed: Seed, atMs: number): Promise<void>
}

/** In the order of their creation, several at a time, each after what it needs. */
async function writeAll(seeds: Iterable<Seed>, { nowMs, atOnce, writers, write }: WriteOptions): Promise<void> {
  /** By uid, and by the keys of namespaces and service accounts. */
  const written = new Map<string, Promise<void>>()
  let beforeAllMs: number | undefined
  for (const portion of portionsOf(seeds, atOnce ?? Infinity)) {
    const times = portion.map(({ object }) => Date.parse(object.metadata.creationTimestamp ?? ''))
    // A loop, since there may be more of them than a call takes.
    beforeAllMs ??= times.reduce((first, time) => (time < first ? time : first), nowMs) - dayMs
    const undatedMs = beforeAllMs
    const ordered = portion
      .map((each, index) => ({ each, atMs: times[index] || undatedMs }))
      .sort((a, b) => a.atMs - b.atMs)
      .values()
    await Promise.all(Array.from({ length: writers }, () => writeEach(ordered)))
  }

  async function writeEach(ordered: Iterable<{ each: Seed; atMs: number }>) {
    for (const { each, atMs } of ordered) {
      const { metadata } = each.object
      const needed = [
        `namespace/${metadata.namespace ?? ''}`,
        ...(metadata.ownerReferences ?? []).map(({ uid }) => uid),
        // Labels of Tekton name the uid of a run beside its owner.
        ...Object.values(metadata.labels ?? {}),
        accountKey(metadata.namespace, accountOf(each)),
      ].map((key) => written.get(key))
      const work = Promise.all(needed).then(() => write(each, atMs))
      // Whoever needs it hears of a failure, and so does the end of it all.
      work.catch(() => {})
      if (metadata.uid) written.set(metadata.uid, work)
      if (each.type.plural === namespaceType.plural) written.set(`namespace/${metadata.name ?? ''}`, work)
      if (each.type.plural === serviceAccountType.plural)
        written.set(accountKey(metadata.namespace, metadata.name), work)
      await work
    }
  }
}

const accountKey = (namespace = '', name = '') => `account/${namespace}/${name}`

/** The service account of a pod, without which no cluster accepts it. */
function accountOf({ type, object }: Seed): string | undefined {
  if (type.plural !== podType.plural) return undefined
  // The seeds of a type are its objects.
  return (object as Pod).spec.serviceAccountName ?? 'default'
}

function* portionsOf<T>(items: Iterable<T>, length: number): Iterable<T[]> {
  let portion: T[] = []
  for (const item of items) {
    portion.push(item)
    if (portion.length < length) continue
    yield portion
    portion = []
  }
  if (portion.length > 0) yield portion
}

const uidPattern = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g

interface Writer {
  write(seed: Seed): Promise<void>
  /** The object as the cluster speaks of what was written. */
  withKnownUids<T extends KubeObject>(object: T): T
}

function createWriter(client: KubeClient, logs: PodLogs): Writer {
  /** What the cluster calls what the scenario calls so. */
  const uids = new Map<string, string>()
  /** By namespace and name; those of the scenario itself have been written before their pods. */
  const accounts = new Map<string, Promise<void>>()

  /** What a controller or the cluster itself will provide may not be there yet. */
  function ensureAccount(namespace: string | undefined, name: string): Promise<void> {
    const key = accountKey(namespace, name)
    const known = accounts.get(key)
    if (known) return known
    const work = client.get(serviceAccountType, name, { namespace }).then(
      () => {},
      async (error: unknown) => {
        ignoreMissing(error)
        await client.create(serviceAccountType, { metadata: { name, namespace } }).catch(ignoreExisting)
      },
    )
    accounts.set(key, work)
    return work
  }

  async function write(seed: Seed): Promise<void> {
    const { type, object, mode } = seed
    const at = { namespace: namespaceOf(object), name: nameOf(object) }
    if (mode === 'remove') {
      await client.delete(type, at.name, at).catch(ignoreMissing)
      return
    }
    const { uid: planned, creationTimestamp: _, ...metadata } = object.metadata
    const whole: KubeObject & { status?: unknown } = withKnownUids({ ...object, metadata })
    // A create leaves the status out, which may be most of the object.
    const { status, ...wanted } = whole
    const account = accountOf(seed)
    if (account !== undefined) await ensureAccount(at.namespace, account)
    const created = await client.create(type, wanted).catch((error: unknown) => {
      if (isAlreadyExists(error)) return undefined
      throw error
    })
    let stored: KubeObject & { status?: unknown } = created ?? (await client.get(type, at.name, at))
    if (!created && mode === 'overwrite') {
      const { annotations, resourceVersion } = stored.metadata
      const kept = { ...wanted.metadata, annotations: { ...annotations, ...metadata.annotations }, resourceVersion }
      stored = await client.replace(type, { ...wanted, metadata: kept })
    }
    if (planned) uids.set(planned, stored.metadata.uid ?? '')
    if (created && seed.logs) for (const log of seed.logs) await writeLog(logs, at, log)
    // What stands there was written by an earlier try or by somebody else.
    if (status !== undefined && (created || isUnwritten(stored.status))) {
      await client.replaceStatus<KubeObject & { status?: unknown }>(type, { ...stored, status })
    }
    if (mode === 'delete' && !stored.metadata.deletionTimestamp) await client.delete(type, at.name, at)
  }

  function withKnownUids<T extends KubeObject>(object: T): T {
    const { ownerReferences, labels } = object.metadata
    // Nothing else refers to another object by its uid but what is owned, or has a label that says so.
    if (!ownerReferences?.length && !Object.values(labels ?? {}).some((value) => uids.has(value))) return object
    const text = JSON.stringify(object)
    const replaced = text.replace(uidPattern, (uid) => uids.get(uid) ?? uid)
    return replaced === text ? object : (JSON.parse(replaced) as T)
  }

  return { write, withKnownUids }
}

/** Absent, or no more than what an API server gives to each new pod. */
const isUnwritten = (status: unknown): boolean =>
  status === undefined || (isRecord(status) && Object.keys(status).every((key) => ['phase', 'qosClass'].includes(key)))

/** Lines that belong together in time are written together: each request has one time. */
const logBatchMs = 5_000

async function writeLog(logs: PodLogs, pod: PodLocation, log: FinishedLog) {
  let text = ''
  let firstMs: number | undefined
  const flush = async () => {
    if (firstMs === undefined) return
    await logs.write(pod, log.container, text, firstMs)
    text = ''
    firstMs = undefined
  }
  for (const line of log.lines()) {
    if (!logs.areStored) return
    if (firstMs !== undefined && (line.atMs - firstMs > logBatchMs || text.length > 500_000)) await flush()
    firstMs ??= line.atMs
    text += `${line.text}\n`
  }
  await flush()
}
