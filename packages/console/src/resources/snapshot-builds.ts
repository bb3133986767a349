import { fieldPath } from '@slipway/kube/field-mask'
import { labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { commitKeys } from '@slipway/model/git/git-facts'
import { queryOptions } from '@tanstack/react-query'
import { allArchivePages, archiveStaleMs } from '../api/archive/archive'
import { client } from '../api/client'
import { limitConcurrency } from '../lib/limit-concurrency'

/** What is needed to recognise the images that a build has pushed, and what its commit says. */
const mask = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'metadata.creationTimestamp',
  fieldPath('metadata', 'labels', labels.component),
  ...commitKeys.map(([where, key]) => fieldPath('metadata', where, key)),
  'status.startTime',
  'status.results',
  // The name of the results in v1beta1, as in archives.
  'status.pipelineResults',
]

/** So many commits fit into a URL. */
const batchSize = 30
const mostRequests = 2
const pageSize = 200

/**
 * The builds of an application at given commits, in the cluster or in the archive. Builds of other commits are never
 * read, however many there are.
 */
export const snapshotBuilds = {
  live: (namespace: string, application: string, commits: readonly string[]) =>
    query('cluster', namespace, application, commits, async (selector, signal) => {
      const { items } = await client.list(pipelineRunType, { namespace, labels: selector, mask, signal })
      return items
    }),
  archived: (namespace: string, application: string, commits: readonly string[]) =>
    query('archive', namespace, application, commits, async (selector, signal) => {
      const { items } = await allArchivePages(
        pipelineRunType,
        { namespace, labels: selector },
        { mask, pageSize, signal },
      )
      return items
    }),
}

const buildsAt = (application: string, commits: readonly string[]) => ({
  matchLabels: { [labels.application]: application, [labels.pipelineType]: 'build' },
  matchExpressions: [{ key: labels.commitSha, operator: 'In' as const, values: [...commits] }],
})

type ReadBuilds = (selector: ReturnType<typeof buildsAt>, signal: AbortSignal) => Promise<PipelineRun[]>

const query = (
  place: 'cluster' | 'archive',
  namespace: string,
  application: string,
  commits: readonly string[],
  read: ReadBuilds,
) =>
  queryOptions({
    queryKey: ['snapshot-builds', place, namespace, application, commits],
    queryFn: async ({ signal }) => {
      const builds: PipelineRun[] = []
      const batches = Array.from({ length: Math.ceil(commits.length / batchSize) }, (_, at) =>
        commits.slice(at * batchSize, (at + 1) * batchSize),
      )
      await limitConcurrency(batches, mostRequests, async (batch) => {
        builds.push(...(await read(buildsAt(application, batch), signal)))
      })
      return builds
    },
    enabled: commits.length > 0,
    // A snapshot is created after its builds have ended, and they do not change any more.
    staleTime: archiveStaleMs,
    // Sharing would copy the objects, and copies lose the mark of their origin.
    structuralSharing: false,
  })
