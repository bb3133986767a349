import type { SelectorOperator } from '@slipway/kube/selector'
import {
  type buildsForState,
  isPushBuild,
  pushBuildsByComponent,
} from '@slipway/model/supply-chain/build-pipeline-state'
import { labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { queryOptions } from '@tanstack/react-query'
import { archivePage, archiveStaleMs } from '../api/archive/archive'
import { inBatches } from '../api/batches'
import { listQuery } from '../api/queries'
import { runFields } from './listed-fields'

interface BuildRequest {
  component: string
  /** One to show, or as many as tell whether a pull request was merged. */
  limit: 1 | typeof buildsForState
}

export const latestBuilds = {
  /** The builds that the cluster has, of an application or of one of its components. */
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
  /** Push builds that only an archive has: the newest of one component. Those of many are asked for together. */
  kept: (namespace: string, application: string, request: BuildRequest) =>
    queryOptions({
      queryKey: ['kept-builds', namespace, application, request.component, request.limit],
      queryFn: ({ signal }) => loaderOf(namespace, application)(request, signal),
      staleTime: archiveStaleMs,
      // Sharing would copy the objects, and a copy does not bear the mark of where it comes from.
      structuralSharing: false,
    }),
}

const batchSize = 30
const loaders = new Map<string, (request: BuildRequest, signal: AbortSignal) => Promise<PipelineRun[]>>()

function loaderOf(namespace: string, application: string) {
  const key = `${namespace}/${application}`
  const known = loaders.get(key)
  if (known) return known
  const loader = inBatches(batchSize, (requests: BuildRequest[]) => keptBuilds(namespace, application, requests))
  loaders.set(key, loader)
  return loader
}

interface Expression {
  key: string
  operator: SelectorOperator
  values?: string[]
}

/**
 * What leaves builds of pull requests out. A push that has merged one bears its number too, so that the event is asked
 * for first; what was never pushed may have been built by hand, without any event.
 */
const pushed: Expression = { key: labels.eventType, operator: 'In', values: ['push', 'Push', 'incoming'] }
const ofNoPullRequest: Expression = { key: labels.pullRequestNumber, operator: 'DoesNotExist' }

async function keptBuilds(
  namespace: string,
  application: string,
  all: readonly BuildRequest[],
): Promise<PipelineRun[][]> {
  const found = new Map<string, PipelineRun[]>()
  for (const expression of [pushed, ofNoPullRequest]) {
    // One that is built all the time may leave no room for others: those are asked for again, without it.
    for (let requests = all, isGettingOn = true; isGettingOn;) {
      requests = requests.filter(({ component }) => !found.has(component))
      if (requests.length === 0) break
      const names = [...new Set(requests.map(({ component }) => component))]
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
          limit: requests.reduce((sum, { limit }) => sum + limit, 0),
        },
        { mask: runFields },
      )
      const builds = pushBuildsByComponent(items.filter(isPushBuild))
      for (const [component, own] of builds) found.set(component, own)
      isGettingOn = builds.size > 0
    }
  }
  return all.map(({ component, limit }) => found.get(component)?.slice(0, limit) ?? [])
}
