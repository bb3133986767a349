import { uidOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { queryClient } from '../../api/query-client'
import { pipelineRuns } from '../../resources/pipeline-runs'

/** All runs of a run's application: the list that most screens have read already. */
export const siblingRuns = ({ metadata }: PipelineRun) =>
  pipelineRuns.list(metadata.namespace ?? '', { [labels.application]: metadata.labels?.[labels.application] ?? '' })

/** Uids of its sibling runs; `undefined` if they have not been read. */
export const knownSiblingRuns = (run: PipelineRun): string[] | undefined =>
  queryClient.getQueryData(siblingRuns(run).queryKey)?.items.map(uidOf)
