import type { SelectorOperator } from '@slipway/kube/selector'
import { type buildsForState, isPushBuild, pushBuildsByComponent } from '@slipway/model/builds/build-pipeline-state'
import { groupBy } from '@slipway/model/grouping'
import { labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { runFields } from '@slipway/model/views/pipeline-run-fields'
import { queryOptions } from '@tanstack/react-query'
import { archivePage, archiveStaleMs } from '../api/archive/archive'
import { inBatches } from '../api/batches'
import { listQuery } from '../api/queries'

interface BuildsRequest {
  application: string
  component: string
  /** One to show, or enough to see whether a pull request was merged. */
  limit: 1 | typeof buildsForState
}

export const latestBuilds = {
  /** The builds in the cluster, of an application or of one of its components. */
  list: (namespace: string, application: string, component?: string) =>
    listQuery(
      pipelineRunType,
      {
        namespace,
        labels: {
          [labels.application]: application,
          [labels.pipelineType]: 'build',
          ...(component && { [labels.component]: component }),
        },
        mask: runFields,
      },
      { isGradual: true },
    ),
  /** The newest archived push builds of one component. Requests for many components of a namespace are batched. */
  archived: (namespace: string, request: BuildsRequest) =>
    queryOptions({
      queryKey: ['archived-builds', namespace, request.application, request.component, request.limit],
      queryFn: ({ signal }) => loaderOf(namespace)(request, signal),
      staleTime: archiveStaleMs,
      // Sharing would copy the objects, and copies lose the mark of their origin.
      structuralSharing: false,
    }),
}

const batchSize = 30
const loaders = new Map<string, (request: BuildsRequest, signal: AbortSignal) => Promise<PipelineRun[]>>()

function loaderOf(namespace: string) {
  const known = loaders.get(namespace)
  if (known) return known
  const loader = inBatches(batchSize, (requests: BuildsRequest[]) => archivedBuilds(namespace, requests))
  loaders.set(namespace, loader)
  return loader
}

interface Expression {
  key: string
  operator: SelectorOperator
  values?: string[]
}

/**
 * Exclude builds of pull requests. A push that merged one has its number too, so builds are first selected by their
 * event; builds started by hand may have no event.
 */
const pushed: Expression = { key: labels.eventType, operator: 'In', values: ['push', 'Push', 'incoming'] }
const withoutPullRequest: Expression = { key: labels.pullRequestNumber, operator: 'DoesNotExist' }

async function archivedBuilds(namespace: string, all: readonly BuildsRequest[]): Promise<PipelineRun[][]> {
  const found = new Map<string, PipelineRun[]>()
  for (const expression of [pushed, withoutPullRequest]) {
    // A component that is built often may leave no room for others: those are requested again, without it.
    for (let missing = all, hasProgress = true; hasProgress;) {
      missing = missing.filter((request) => !found.has(keyOf(request)))
      if (missing.length === 0) break
      const { items } = await archivePage(
        pipelineRunType,
        {
          namespace,
          labels: {
            matchLabels: { [labels.pipelineType]: 'build' },
            matchExpressions: [
              anyOf(labels.application, missing, 'application'),
              anyOf(labels.component, missing, 'component'),
              expression,
            ],
          },
          limit: missing.reduce((sum, { limit }) => sum + limit, 0),
        },
        { mask: runFields },
      )
      for (const own of pushBuildsByComponent(items.filter(isPushBuild)).values()) {
        for (const [key, builds] of groupBy(own, keyOfBuild)) found.set(key, builds)
      }
      hasProgress = missing.some((request) => found.has(keyOf(request)))
    }
  }
  return all.map((request) => found.get(keyOf(request))?.slice(0, request.limit) ?? [])
}

const keyOf = ({ application, component }: Pick<BuildsRequest, 'application' | 'component'>): string =>
  `${application}/${component}`

const keyOfBuild = ({ metadata }: PipelineRun): string =>
  keyOf({
    application: metadata.labels?.[labels.application] ?? '',
    component: metadata.labels?.[labels.component] ?? '',
  })

const anyOf = (key: string, requests: readonly BuildsRequest[], field: 'application' | 'component'): Expression => ({
  key,
  operator: 'In',
  values: [...new Set(requests.map((request) => request[field]))],
})
