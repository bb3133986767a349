import { uidOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { queryClient } from '../../api/query-client'
import { pipelineRuns } from '../../resources/pipeline-runs'

/**
 * Runs among which a rerun of a run will be: those of its application if a screen has read them, or else only its test
 * runs, or the runs of the same component.
 */
export function siblingRuns({ metadata }: PipelineRun) {
  const { [labels.application]: application = '', [labels.component]: component } = metadata.labels ?? {}
  const namespace = metadata.namespace ?? ''
  const all = pipelineRuns.list(namespace, { [labels.application]: application })
  if (queryClient.getQueryData(all.queryKey) !== undefined) return all
  if (metadata.labels?.[labels.pipelineType] === 'test') return pipelineRuns.ofTests(namespace, application)
  return component
    ? pipelineRuns.list(namespace, { [labels.application]: application, [labels.component]: component })
    : all
}

/** Uids of its sibling runs, which are read unless a screen has done so; `undefined` if that fails. */
export async function readSiblingRuns(run: PipelineRun): Promise<string[] | undefined> {
  // A failure must not prevent the rerun, of which only the link is missing.
  const list = await queryClient.ensureQueryData(siblingRuns(run)).catch(() => undefined)
  return list?.items.map(uidOf)
}
