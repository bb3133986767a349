import type { KubeList, KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { ApiError, isNotFound, isRejection } from '@slipway/kube/status'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { taskRunType } from '@slipway/model/runs/task-run'
import { succeededCondition, type Run } from '@slipway/model/runs/tekton'
import type { FlagName } from '@slipway/model/platform/flag'
import { noteArchive } from './archived-in'
import { selectObjects } from './merged-history'
import { markArchived } from './origin'
import { flagOnceKnown, isFlagOn } from '../flags/flags'
import { hasKubeArchive, hasResults, noteNoResults } from './installed'
import { getArchived, listArchived } from './kube-archive'
import type { ArchiveName, ArchivePage, ArchiveRequest, ArchiveSelection } from './request'
import { listRecords } from './tekton-results'

/** Chooses the archive for a kind and queries it: only this and `archived-log.ts` know that there are two. */

/** Archived data rarely changes: it is refetched after this long. */
export const archiveStaleMs = 300_000

const flagOf = ({ kind }: ResourceType): FlagName | undefined => {
  if (kind === pipelineRunType.kind) return 'pipelineruns-kubearchive'
  return kind === taskRunType.kind ? 'taskruns-kubearchive' : undefined
}

/**
 * Tekton Results stores only runs, and for runs the user chooses where both are installed. What is known now decides
 * which list is shown.
 */
export function preferredArchive(type: ResourceType): ArchiveName {
  const flag = flagOf(type)
  return !flag || isFlagOn(flag) ? 'KubeArchive' : 'Tekton Results'
}

/** The archive that stores a kind; `undefined` if none does. */
export const archiveOf = (type: ResourceType): Promise<ArchiveName | undefined> => chosenArchive(flagOf(type))

/**
 * The archive to query: the one that is installed. Where both are, Tekton Results is queried for what it stores, which
 * has a flag, until the user turns the flag on (specification 1, sections 4 and 7). The other is not queried then.
 * @param flag of what to read; absent for what only KubeArchive stores
 * @returns `undefined` if none is installed
 * @throws if that is not known, since nothing has answered
 */
export async function chosenArchive(flag: FlagName | undefined): Promise<ArchiveName | undefined> {
  if (flag && !(await flagOnceKnown(flag)) && (await hasResults())) return 'Tekton Results'
  if (await hasKubeArchive()) return 'KubeArchive'
  return flag && (await hasResults()) ? 'Tekton Results' : undefined
}

/** Where the next page starts. A token of one archive means nothing to the other. */
export interface ArchivePosition {
  archive: ArchiveName
  token?: string
}
export interface Archived<T extends KubeObject> {
  items: T[]
  archive: ArchiveName | undefined
  next: ArchivePosition | undefined
}

/** How many pages are searched at most before what was found is shown. */
const maxPages = 10

interface PageRequest extends Pick<ArchiveRequest, 'signal' | 'where' | 'pageSize' | 'mask'> {
  position?: ArchivePosition | undefined
}

/**
 * One page of archived objects, newest first; empty if no archive stores the kind. Further pages make up for objects
 * that are filtered out, so that a limit is reached if there are enough, and a page that has a next one is not empty.
 */
export async function archivePage<T extends KubeObject>(
  type: ResourceType<T>,
  { limit, ...selection }: ArchiveSelection,
  { position, signal, where, pageSize, mask }: PageRequest = {},
): Promise<Archived<T>> {
  const archive = position?.archive ?? (await archiveOf(type))
  if (!archive) return emptyPage
  const listPage = archive === 'KubeArchive' ? listMirrored : listResults
  const request = { signal, where, pageSize: limit ?? pageSize, mask }
  const items: T[] = []
  let token = position?.token
  for (let pages = 0; pages < maxPages; pages++) {
    const page = await listPage(type, selection, { ...request, token })
    // Another archive may have what that one was thought to have.
    if (!page)
      return position ? emptyPage : archivePage(type, { limit, ...selection }, { signal, where, pageSize, mask })
    items.push(...page.items.filter((item) => !isLeftRunning(item)).map(markArchived))
    token = page.next
    if (!token || items.length >= (limit ?? 1)) break
  }
  if (limit !== undefined) return { items: items.slice(0, limit), archive, next: undefined }
  return { items, archive, next: token === undefined ? undefined : { archive, token } }
}

/** All pages as one. */
export async function allArchivePages<T extends KubeObject>(
  type: ResourceType<T>,
  selection: ArchiveSelection,
  request: Omit<PageRequest, 'position'> = {},
): Promise<Archived<T>> {
  const items: T[] = []
  let page: Archived<T> | undefined
  do {
    page = await archivePage(type, selection, { ...request, position: page?.next })
    items.push(...page.items)
  } while (page.next)
  return { ...page, items }
}

const emptyPage = { items: [], archive: undefined, next: undefined }

/** @returns `undefined` when it turns out that Tekton Results is not installed */
async function listResults<T extends KubeObject>(
  type: ResourceType<T>,
  selection: Parameters<typeof listRecords>[1],
  request: ArchiveRequest,
): Promise<ArchivePage<T> | undefined> {
  try {
    return await listRecords(type, selection, request)
  } catch (error) {
    if (!isNotFound(error)) throw error
    noteNoResults()
    return undefined
  }
}

/** The commit and the snapshot are in one of several labels and annotations, which no label selector can express. */
async function listMirrored<T extends KubeObject>(
  type: ResourceType<T>,
  { commit, snapshot, ...selection }: ArchiveSelection,
  request: ArchiveRequest,
): Promise<ArchivePage<T>> {
  const { items, next } = await listArchived(type, selection, request)
  return { items: [...selectObjects(items, { commit, snapshot })], next }
}

const unfinishedReasons = new Set(['Running', 'ResolvingTaskRef', 'ResolvingPipelineRef', 'PipelineRunPending'])

/** Archived while it was running, and never again: it was deleted from the cluster, so it will never end. */
function isLeftRunning(object: KubeObject): boolean {
  if (object.kind !== pipelineRunType.kind) return false
  const condition = succeededCondition(object as Run) // Of that kind.
  return condition?.status === 'Unknown' && unfinishedReasons.has(condition.reason ?? '')
}

/**
 * Reads an object that the cluster no longer has.
 * @param missing the cluster's own error, thrown if the archive does not have it or denies access
 * @throws the archive's error, with that of the cluster as its cause, if the archive fails
 */
export async function fromArchive<T extends KubeObject>(
  type: ResourceType<T>,
  ref: { namespace?: string | undefined; name: string },
  { missing, signal }: { missing: unknown; signal?: AbortSignal },
): Promise<T> {
  const found = await findArchived(type, ref, signal).catch((error: unknown) => {
    if (signal?.aborted || isInconclusive(error)) throw causedByMissing(error, missing)
    return undefined
  })
  // Then nothing more is known than what the cluster said.
  if (!found) throw missing
  return found
}

/** @returns `undefined` if no archive has it, or there is none */
async function findArchived<T extends KubeObject>(
  type: ResourceType<T>,
  ref: { namespace?: string | undefined; name: string },
  signal?: AbortSignal,
): Promise<T | undefined> {
  const { namespace, name } = ref
  const archive = await archiveOf(type)
  if (archive === 'KubeArchive') return noteArchive(await getArchived(type, ref, signal), archive)
  if (!archive || !namespace) return undefined
  const page = await listResults(type, { namespace, exactName: name, limit: 1 }, { signal })
  if (!page) return findArchived(type, ref, signal)
  const [found] = page.items
  return found && noteArchive(found, archive)
}

/** Whether the archive failed or could not be asked, as opposed to one that has nothing or denies access. */
export const isInconclusive = (error: unknown): boolean => !isRejection(error) || error.isSessionEnd

/** The archive may still have the object: its error is reported, caused by the 404 of the cluster. */
function causedByMissing(error: unknown, missing: unknown): unknown {
  if (error instanceof ApiError) error.cause = missing
  return error
}

/**
 * The complete list of a kind that the cluster does not have, or no longer has.
 * @param missing the cluster's own error, thrown if there is no archive
 * @throws the archive's error when it fails too
 */
export async function listFromArchive<T extends KubeObject>(
  type: ResourceType<T>,
  { namespace, labels }: { namespace: string; labels?: Record<string, string> | undefined },
  { missing, ...request }: Pick<ArchiveRequest, 'signal' | 'mask'> & { missing: unknown },
): Promise<KubeList<T>> {
  if (!(await archiveOf(type))) throw missing
  const selection = { namespace, ...(labels && { labels: { matchLabels: labels } }) }
  const { items } = await allArchivePages(type, selection, request)
  return { metadata: {}, items }
}
