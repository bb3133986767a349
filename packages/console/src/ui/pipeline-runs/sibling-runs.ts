import { uidOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { queryClient } from '../../api/query-client'
import { pipelineRuns } from '../../resources/pipeline-runs'

/** The runs beside a run, those of its application: the list that most screens have read already. */
export const siblingRuns = ({ metadata }: PipelineRun) =>
  pipelineRuns.list(metadata.namespace ?? '', { [labels.application]: metadata.labels?.[labels.application] ?? '' })

/** Uids of the runs beside it; `undefined` where nothing has read them. */
export const knownSiblingRuns = (run: PipelineRun): string[] | undefined =>
  queryClient.getQueryData(siblingRuns(run).queryKey)?.items.map(uidOf)
