import type { KubeClient, ListOptions } from '@slipway/kube/client'
import type { KubeList, KubeObject } from '@slipway/kube/object'
import { asArray, asRecord } from '@slipway/kube/parse'
import { apiVersionOf, inEachGroup, type ResourceType } from '@slipway/kube/resource-type'
import { listSeveral } from '@slipway/kube/several-lists'
import { isNotFound, isRejection } from '@slipway/kube/status'

/**
 * In which groups the cluster serves a kind (ADR 62). Queries, checks and writes name the declared type; only what is
 * sent names the served ones.
 */

/** A kind in each group in which the cluster serves it, the newest first; never empty. */
export type ServedTypes<T extends KubeObject = KubeObject> = [ResourceType<T>, ...ResourceType<T>[]]

type Request = KubeClient['request']

/** Absent before the start: kinds are then in their declared groups. */
let discovered: { request: Request; responses: Map<string, Promise<Record<string, unknown> | null>> } | undefined
let known = new Map<string, ServedTypes>()

/**
 * From now on, each group is discovered when a kind that may be in it is first used. Returns a function that forgets
 * them.
 */
export function startDiscovery(request: Request): () => void {
  discovered = { request, responses: new Map() }
  return () => {
    discovered = undefined
    known = new Map()
  }
}

/** What is served at a path: an empty response if nothing is, `null` if the cluster does not say. */
async function discover(path: string): Promise<Record<string, unknown> | null> {
  if (!discovered) return null
  const { request, responses } = discovered
  const response =
    responses.get(path) ??
    request(path).then(asRecord, (error: unknown) => {
      if (isNotFound(error)) return {}
      if (isRejection(error) && !error.isSessionEnd) return null
      // The next read tries again.
      responses.delete(path)
      throw error
    })
  responses.set(path, response)
  return response
}

/** Whether a group has a kind; `undefined` if the cluster does not say. */
async function hasKind(type: ResourceType): Promise<boolean | undefined> {
  const response = await discover(`/apis/${apiVersionOf(type)}`)
  return response ? asArray(response.resources).some((each) => asRecord(each).name === type.plural) : undefined
}

/**
 * The first one of some versions of a group that the cluster serves; `undefined` if it serves none of them or does not
 * say.
 */
export async function servedVersion<V extends string>(group: string, versions: readonly V[]): Promise<V | undefined> {
  const served = asArray((await discover(`/apis/${group}`))?.versions).map((each) => asRecord(each).version)
  return versions.find((version) => served.includes(version))
}

/** The type itself until it has been discovered (`servedTypes`). */
export const knownTypes = <T extends KubeObject>(type: ResourceType<T>): ServedTypes<T> =>
  // Stored by the name of the declared type.
  (known.get(`${type.plural}.${type.group}`) as ServedTypes<T> | undefined) ?? [type]

export async function servedTypes<T extends KubeObject>(type: ResourceType<T>): Promise<ServedTypes<T>> {
  if (!type.newerGroups || !discovered) return [type]
  const [first, ...others] = inEachGroup(type)
  const served: ResourceType<T>[] = []
  for (const each of [first, ...others].slice(0, -1)) if (await hasKind(each)) served.push(each)
  const [newest, ...newer] = served
  // If no other group has it, the declared one is not checked: its own response says whether it is served.
  const types: ServedTypes<T> = newest ? [newest, ...newer, ...((await hasKind(type)) ? [type] : [])] : [type]
  known.set(`${type.plural}.${type.group}`, types as ServedTypes)
  return types
}

/** Whether any group serves a kind; also true if the cluster does not say. */
export async function isServed(type: ResourceType): Promise<boolean> {
  for (const each of inEachGroup(type)) if ((await hasKind(each)) ?? true) return true
  return false
}

/** Reads from every group of a kind. @param typesOf by default those that serve it */
export const readsOfEach = (
  client: Pick<KubeClient, 'list' | 'get'>,
  typesOf: typeof servedTypes = servedTypes,
): Pick<KubeClient, 'list' | 'get'> => ({
  list: async <T extends KubeObject>(type: ResourceType<T>, options: ListOptions = {}): Promise<KubeList<T>> =>
    listSeveral(await typesOf(type), options, client.list),
  async get(type, name, options) {
    const [newest, ...others] = await typesOf(type)
    let found = client.get(newest, name, options)
    for (const other of others)
      found = found.catch((error: unknown) => {
        if (!isNotFound(error)) throw error
        return client.get(other, name, options)
      })
    return found
  },
})
