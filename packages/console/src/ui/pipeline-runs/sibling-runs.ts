import { uidOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { queryClient } from '../../api/query-client'
import { pipelineRuns } from '../../resources/pipeline-runs'

/** Runs of a run's application, of which most screens have read all, and those of integration tests only the test runs. */
export function siblingRuns({ metadata }: PipelineRun) {
  const [namespace, application] = [metadata.namespace ?? '', metadata.labels?.[labels.application] ?? '']
  const all = pipelineRuns.list(namespace, { [labels.application]: application })
  const isKnown = queryClient.getQueryData(all.queryKey) !== undefined
  return isKnown || metadata.labels?.[labels.pipelineType] !== 'test'
    ? all
    : pipelineRuns.ofTests(namespace, application)
}

/** Uids of its sibling runs; `undefined` if they have not been read. */
export const knownSiblingRuns = (run: PipelineRun): string[] | undefined =>
  queryClient.getQueryData(siblingRuns(run).queryKey)?.items.map(uidOf)
