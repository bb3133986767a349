import { podType } from '@slipway/kube/core-types'
import type { KubeList, KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { ApiError, isNotFound, isRejection } from '@slipway/kube/status'
import { type LogSection, sectionsOf } from '@slipway/model/logs/log-sections'
import { commitShaOf } from '@slipway/model/supply-chain/commit'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { taskRunType } from '@slipway/model/runs/task-run'
import { succeededCondition, type Run } from '@slipway/model/runs/tekton'
import { queryOptions } from '@tanstack/react-query'
import type { FlagName } from '@slipway/model/platform/flag'
import { markArchived } from './origin'
import { flagOnceKnown, isFlagOn } from '../flags/flags'
import { archivedPodLog, getArchived, hasKubeArchive, listArchived } from './kube-archive'
import { stepContainersOf } from '@slipway/model/runs/pod-containers'
import { queryClient } from '../query-client'
import type { ArchivePage, ArchiveRequest, ArchiveSelection } from './request'
import { listRecords, missingLog, recordedLog } from './tekton-results'

/** Which of the archives keeps what, and how it is asked: nothing else in the console knows that there are two. */

export type ArchiveName = 'KubeArchive' | 'Tekton Results'

/** What an archive has said changes seldom: it is asked again after this long. */
export const archiveStaleMs = 300_000

const flagOf = ({ kind }: ResourceType): FlagName | undefined => {
  if (kind === pipelineRunType.kind) return 'pipelineruns-kubearchive'
  return kind === taskRunType.kind ? 'taskruns-kubearchive' : undefined
}

/** The results database keeps runs only; for these the user chooses. What is known now decides which list is shown. */
export function preferredArchive(type: ResourceType): ArchiveName {
  const flag = flagOf(type)
  return !flag || isFlagOn(flag) ? 'KubeArchive' : 'Tekton Results'
}

/** The one that answers for a kind; `undefined` where nothing keeps it. */
export async function archiveOf(type: ResourceType): Promise<ArchiveName | undefined> {
  const flag = flagOf(type)
  if ((!flag || (await flagOnceKnown(flag))) && (await hasKubeArchive())) return 'KubeArchive'
  return flag && (await hasResults()) ? 'Tekton Results' : undefined
}

/** It has no address to probe: one that was not found when it was first asked is never called again. */
const resultsProbe = queryOptions({
  queryKey: ['archive', 'tekton-results'],
  queryFn: () => true,
  staleTime: Infinity,
  gcTime: Infinity,
})
const hasResults = (): Promise<boolean> => queryClient.ensureQueryData(resultsProbe)

/** Where the next page begins; a page of one archive says nothing to the other. */
export interface ArchivePosition {
  archive: ArchiveName
  token?: string
}
export interface Archived<T extends KubeObject> {
  items: T[]
  archive: ArchiveName | undefined
  next: ArchivePosition | undefined
}

/** How many pages of objects that nobody asked for are passed over, before what was found is shown. */
const pagesAtMost = 10

interface PageRequest extends Pick<ArchiveRequest, 'signal' | 'where' | 'pageSize' | 'mask'> {
  position?: ArchivePosition | undefined
}

/**
 * One page of what is kept, newest first; an empty one where nothing keeps that kind. What is passed over in it is made
 * up for by further pages, so that a limit is reached where there is enough, and a page with a next one is not empty.
 */
export async function archivePage<T extends KubeObject>(
  type: ResourceType<T>,
  { limit, ...selection }: ArchiveSelection,
  { position, signal, where, pageSize, mask }: PageRequest = {},
): Promise<Archived<T>> {
  const archive = position?.archive ?? (await archiveOf(type))
  if (!archive) return nothingKept
  const ask = archive === 'KubeArchive' ? listMirrored : listResults
  const request = { signal, where, pageSize: limit ?? pageSize, mask }
  const items: T[] = []
  let token = position?.token
  for (let pages = 0; pages < pagesAtMost; pages++) {
    const page = await ask(type, selection, { ...request, token })
    if (!page) return nothingKept
    items.push(...page.items.filter((item) => !isLeftRunning(item)).map(markArchived))
    token = page.next
    if (!token || items.length >= (limit ?? 1)) break
  }
  if (limit !== undefined) return { items: items.slice(0, limit), archive, next: undefined }
  return { items, archive, next: token === undefined ? undefined : { archive, token } }
}

/** All pages, as one. */
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

const nothingKept = { items: [], archive: undefined, next: undefined }

/** @returns `undefined` when it turns out that there is no results database */
async function listResults<T extends KubeObject>(
  type: ResourceType<T>,
  selection: Parameters<typeof listRecords>[1],
  request: ArchiveRequest,
): Promise<ArchivePage<T> | undefined> {
  try {
    return await listRecords(type, selection, request)
  } catch (error) {
    if (!isNotFound(error)) throw error
    queryClient.setQueryData(resultsProbe.queryKey, false)
    return undefined
  }
}

/** A commit is named by a label or an annotation of several keys, which no label selector can express. */
async function listMirrored<T extends KubeObject>(
  type: ResourceType<T>,
  { commit, ...selection }: ArchiveSelection,
  request: ArchiveRequest,
): Promise<ArchivePage<T>> {
  const { items, next } = await listArchived(type, selection, request)
  return { items: commit ? items.filter((item) => commitShaOf(item) === commit) : items, next }
}

const goingOn = new Set(['Running', 'ResolvingTaskRef', 'ResolvingPipelineRef', 'PipelineRunPending'])

/** Kept while it ran and never again: it is gone from the cluster, and nothing will ever end it. */
function isLeftRunning(object: KubeObject): boolean {
  if (object.kind !== pipelineRunType.kind) return false
  const condition = succeededCondition(object as Run) // Of that kind.
  return condition?.status === 'Unknown' && goingOn.has(condition.reason ?? '')
}

/**
 * An object that the cluster no longer has.
 * @param missing the cluster's own answer, thrown where the archive cannot help
 * @throws the archive's answer, caused by that of the cluster, when it is one of a server that fails
 */
export async function fromArchive<T extends KubeObject>(
  type: ResourceType<T>,
  ref: { namespace?: string | undefined; name: string },
  { missing, signal }: { missing: unknown; signal?: AbortSignal },
): Promise<T> {
  const { namespace, name } = ref
  const found = await archiveOf(type)
    .then(async (archive) => {
      if (archive === 'KubeArchive') return await getArchived(type, { namespace, name }, signal)
      if (!archive || !namespace) return undefined
      return (await listResults(type, { namespace, exactName: name, limit: 1 }, { signal }))?.items[0]
    })
    .catch((error: unknown) => {
      if (signal?.aborted || isIll(error)) throw illness(error, missing)
      return undefined
    })
  // What the cluster said is what is known of it.
  if (!found) throw missing
  return found
}

/** An archive that gave no answer, or was not asked, in contrast to one that has nothing or may not tell. */
const isIll = (error: unknown): boolean => !isRejection(error) || error.isSessionEnd

/** What only the archive could have been asked is not known to be nowhere; its cause is that the cluster has it no more. */
function illness(error: unknown, missing: unknown): unknown {
  if (error instanceof ApiError) error.cause = missing
  return error
}

/**
 * The whole list, of a kind that the cluster does not have (any more).
 * @param missing the cluster's own answer, thrown where there is no archive
 * @throws the archive's answer when it fails too
 */
export async function listFromArchive<T extends KubeObject>(
  type: ResourceType<T>,
  { namespace, labels }: { namespace: string; labels?: Record<string, string> | undefined },
  { missing, signal }: { missing: unknown; signal?: AbortSignal },
): Promise<KubeList<T>> {
  if (!(await archiveOf(type))) throw missing
  const selection = { namespace, ...(labels && { labels: { matchLabels: labels } }) }
  const { items } = await allArchivePages(type, selection, { signal })
  return { metadata: {}, items }
}

/** A task whose pod is gone. */
export interface ArchivedTask {
  namespace: string
  task: string
  pod?: string | undefined
  /** Of its steps, in order; empty where nobody knows them any more. */
  containers: readonly string[]
  pipelineRunUid: string
  taskRunUid: string
}

export interface ContainerLog extends LogSection {
  /** Why there is none of this one, of a task of which others are kept; code 404. */
  missing?: ApiError
}

/**
 * The logs of all steps of a task that has ended, in order.
 * @throws ApiError with code 404 where there are none, and as it came where an archive may still have them
 */
export async function archivedTaskLog(log: ArchivedTask, signal?: AbortSignal): Promise<ContainerLog[]> {
  const { namespace, task, pod } = log
  try {
    if (!pod || !(await flagOnceKnown('kubearchive-logs')) || !(await hasKubeArchive())) {
      return sectionsOf(await recordedLog(log, signal))
    }
    const containers =
      log.containers.length > 0
        ? log.containers
        : stepContainersOf(await getArchived(podType, { namespace, name: pod }, signal))
    const logs = await Promise.all(
      containers.map((container) => mirroredLog({ namespace, pod, container }, task, signal)),
    )
    const [first] = logs
    if (first?.missing && logs.every(({ missing }) => missing)) throw first.missing
    return logs
  } catch (error) {
    if (signal?.aborted || isIll(error)) throw error
    throw missingLog(task, error instanceof ApiError ? error.url : '', error)
  }
}

/** One step without a log hides none of the others. */
async function mirroredLog(
  ref: { namespace: string; pod: string; container: string },
  task: string,
  signal?: AbortSignal,
): Promise<ContainerLog> {
  const { container } = ref
  try {
    return { container, text: await archivedPodLog(ref, signal) }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 404) throw error
    return { container, text: '', missing: missingLog(task, error.url, error) }
  }
}

/** That of one step; a log that does not say whose it is, is that of every one. */
export const logOf = (logs: readonly ContainerLog[], container: string): ContainerLog | undefined =>
  logs.find((log) => log.container === container) ?? logs.find((log) => log.container === '')
