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
import { ignoreExisting, ignoreMissing, isAlreadyExists } from '@slipway/kube/status'
import { keyedRandom } from './keyed-random'
import { createPodLogs, type PodLocation, type PodLogs } from './pod-logs'
import type { ScenarioName } from './scenario-names'
import { scenarios } from './scenarios'
import type { ArchivedSeeds, ScenarioContext, Seed } from './scenarios/scenario'
import type { FinishedLog } from './tekton/history'
import type { World } from './tekton/facts'

export interface CreateScenarioOptions extends Omit<ScenarioContext, 'nowMs' | 'world'> {
  client: KubeClient
  /** Default: the logs of the same cluster. */
  logs?: PodLogs
  /** Stores objects that are no longer in the cluster; without it they are not created. */
  archive?: { store(archived: ArchivedSeeds): Promise<void> }
  /** Milliseconds since 1970. */
  now(): number
  seed?: string
  /**
   * Runs `work` with the cluster's clock set to `atMs`, so that objects are as old as they should be. Without it they
   * are all created now, as in a cluster whose clock cannot be set.
   */
  inTime?<T>(atMs: number, work: () => Promise<T>): Promise<T>
  /** How many objects are written concurrently. With 1, resource versions and uids are the same each time. */
  writers?: number
}

/**
 * Records which scenario was created and when, so that it is created only once and deleted objects do not come back.
 */
const markerLocation = { name: 'slipway-scenario', namespace: 'konflux-info' }

/** The scenario that the cluster was created with, perhaps by another version; `undefined` if there is none. */
export const scenarioOf = async (client: KubeClient): Promise<string | undefined> =>
  (await readMarker(client))?.data?.['scenario']

const readMarker = (client: KubeClient): Promise<ConfigMap | undefined> =>
  client.get(configMapType, markerLocation.name, markerLocation).catch(ignoreMissing)

/**
 * Creates the objects of a scenario in a cluster where the platform is installed. An interrupted creation is completed;
 * a completed one is never repeated.
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
    ...users
  } = options
  const marker = (await readMarker(client)) ?? (await createMarker(client, name, now()))
  if (marker.data?.['scenario'] !== name || marker.data['state'] === 'created') return
  // A second attempt uses the time of the first, so that both create the same objects.
  const nowMs = Date.parse(marker.data['begun'] ?? '') || now()
  const world: World = {
    random: (key) => keyedRandom(options.seed ?? 'slipway', `scenario ${name} ${key}`),
    scale: (realMs) => realMs,
  }
  const context: ScenarioContext = { ...users, nowMs, world }
  const { write, withKnownUids } = createWriter(client, logs)
  const writeAt = (each: Seed, atMs: number) => inTime(atMs, () => write(each))
  await writeAll(seeds(context), { nowMs, atOnce: seedsAtOnce, writers, write: writeAt })
  for (const { objects, logs } of (archive && archived?.(context)) ?? []) {
    // Owners of archived objects may still be in the cluster.
    await archive?.store({ objects: objects.map(withKnownUids), logs })
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
  /** How many are in memory at a time. */
  atOnce?: number
  writers: number
  write(seed: Seed, atMs: number): Promise<void>
}

/** Writes seeds in the order of their creation times, several at a time, each after its dependencies. */
async function writeAll(seeds: Iterable<Seed>, { nowMs, atOnce, writers, write }: WriteOptions): Promise<void> {
  /** Keys are uids, and names of namespaces and service accounts. */
  const written = new Map<string, Promise<void>>()
  let beforeAllMs: number | undefined
  for (const portion of portionsOf(seeds, atOnce ?? Infinity)) {
    const times = portion.map(({ object }) => Date.parse(object.metadata.creationTimestamp ?? ''))
    // Not `Math.min(...times)`, since a call accepts a limited number of arguments.
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
      const dependencies = [
        `namespace/${metadata.namespace ?? ''}`,
        ...(metadata.ownerReferences ?? []).map(({ uid }) => uid),
        // A label of Tekton also contains the uid of the run.
        ...Object.values(metadata.labels ?? {}),
        accountKey(metadata.namespace, accountOf(each)),
      ].map((key) => written.get(key))
      const work = Promise.all(dependencies).then(() => write(each, atMs))
      // A failure is reported to dependents and by the `await` below.
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

/** The service account that must exist before its pod can be created. */
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
  /** Replaces planned uids in the object with those that the cluster assigned. */
  withKnownUids<T extends KubeObject>(object: T): T
}

function createWriter(client: KubeClient, logs: PodLogs): Writer {
  /** Uids that the cluster assigned, by planned uid. */
  const uids = new Map<string, string>()
  /** Keys contain namespace and name. Accounts of the scenario itself are written before their pods. */
  const accounts = new Map<string, Promise<void>>()

  /** Creates accounts that a controller or the cluster would create, but has not yet. */
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
    const complete: KubeObject & { status?: unknown } = withKnownUids({ ...object, metadata })
    // A create ignores the status, which may be most of the object.
    const { status, ...desired } = complete
    const account = accountOf(seed)
    if (account !== undefined) await ensureAccount(at.namespace, account)
    const created = await client.create(type, desired).catch((error: unknown) => {
      if (isAlreadyExists(error)) return undefined
      throw error
    })
    let stored: KubeObject & { status?: unknown } = created ?? (await client.get(type, at.name, at))
    if (!created && mode === 'overwrite') {
      const { annotations, resourceVersion } = stored.metadata
      const merged = { ...desired.metadata, annotations: { ...annotations, ...metadata.annotations }, resourceVersion }
      stored = await client.replace(type, { ...desired, metadata: merged })
    }
    if (planned) uids.set(planned, stored.metadata.uid ?? '')
    if (created && seed.logs) for (const log of seed.logs) await writeLog(logs, at, log)
    // An existing status was written by an earlier attempt or by another client.
    if (status !== undefined && (created || isUnwritten(stored.status))) {
      await client.replaceStatus<KubeObject & { status?: unknown }>(type, { ...stored, status })
    }
    if (mode === 'delete' && !stored.metadata.deletionTimestamp) await client.delete(type, at.name, at)
  }

  function withKnownUids<T extends KubeObject>(object: T): T {
    const { ownerReferences, labels } = object.metadata
    // Only owner references and labels contain uids of other objects.
    if (!ownerReferences?.length && !Object.values(labels ?? {}).some((value) => uids.has(value))) return object
    const text = JSON.stringify(object)
    const replaced = text.replace(uidPattern, (uid) => uids.get(uid) ?? uid)
    return replaced === text ? object : (JSON.parse(replaced) as T)
  }

  return { write, withKnownUids }
}

/** Absent, or only what an API server sets on each new pod. */
const isUnwritten = (status: unknown): boolean =>
  status === undefined || (isRecord(status) && Object.keys(status).every((key) => ['phase', 'qosClass'].includes(key)))

/** Lines within this time are written in one request, which has one timestamp. */
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
