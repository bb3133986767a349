import type { SelectorOperator } from '@slipway/kube/selector'
import { type buildsForState, isPushBuild, pushBuildsByComponent } from '@slipway/model/builds/build-pipeline-state'
import { labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { queryOptions } from '@tanstack/react-query'
import { archivePage, archiveStaleMs } from '../api/archive/archive'
import { inBatches } from '../api/batches'
import { listQuery } from '../api/queries'
import { runFields } from './pipeline-runs'

interface BuildsRequest {
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
  /** The newest archived push builds of one component. Requests for many components are batched. */
  archived: (namespace: string, application: string, request: BuildsRequest) =>
    queryOptions({
      queryKey: ['archived-builds', namespace, application, request.component, request.limit],
      queryFn: ({ signal }) => loaderOf(namespace, application)(request, signal),
      staleTime: archiveStaleMs,
      // Sharing would copy the objects, and copies lose the mark of their origin.
      structuralSharing: false,
    }),
}

const batchSize = 30
const loaders = new Map<string, (request: BuildsRequest, signal: AbortSignal) => Promise<PipelineRun[]>>()

function loaderOf(namespace: string, application: string) {
  const key = `${namespace}/${application}`
  const known = loaders.get(key)
  if (known) return known
  const loader = inBatches(batchSize, (requests: BuildsRequest[]) => archivedBuilds(namespace, application, requests))
  loaders.set(key, loader)
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

async function archivedBuilds(
  namespace: string,
  application: string,
  all: readonly BuildsRequest[],
): Promise<PipelineRun[][]> {
  const found = new Map<string, PipelineRun[]>()
  for (const expression of [pushed, withoutPullRequest]) {
    // A component that is built often may leave no room for others: those are requested again, without it.
    for (let missing = all, hasProgress = true; hasProgress;) {
      missing = missing.filter(({ component }) => !found.has(component))
      if (missing.length === 0) break
      const names = [...new Set(missing.map(({ component }) => component))]
      const { items } = await archivePage(
        pipelineRunType,
        {
          namespace,
          labels: {
            matchLabels: {
              [labels.application]: application,
              [labels.pipelineType]: 'build',
              ...(names.length === 1 && { [labels.component]: names.join() }),
            },
            matchExpressions: [
              ...(names.length > 1 ? [{ key: labels.component, operator: 'In' as const, values: names }] : []),
              expression,
            ],
          },
          limit: missing.reduce((sum, { limit }) => sum + limit, 0),
        },
        { mask: runFields },
      )
      const builds = pushBuildsByComponent(items.filter(isPushBuild))
      for (const [component, own] of builds) found.set(component, own)
      hasProgress = builds.size > 0
    }
  }
  return all.map(({ component, limit }) => found.get(component)?.slice(0, limit) ?? [])
}
