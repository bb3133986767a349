import { type FieldPath, fieldPath } from '@slipway/kube/field-mask'
import { commitPlaces } from '@slipway/model/commit'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/pipeline-run'
import { historyQuery, type HistorySelection } from '../api/history'
import { getQuery, listQuery } from '../api/queries'

/** What lists of runs show, and what the actions of a row and the commits of runs need: a twentieth of the runs. */
export const listedFields: readonly FieldPath[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.creationTimestamp',
  'metadata.deletionTimestamp',
  ...[
    labels.application,
    labels.component,
    labels.pipelineType,
    labels.scenario,
    labels.optional,
    labels.snapshot,
    labels.releaseName,
  ].map((key) => fieldPath('metadata', 'labels', key)),
  fieldPath('metadata', 'annotations', labels.snapshot),
  ...commitPlaces.map(([where, key]) => fieldPath('metadata', where, key)),
  'spec.status',
  'status.startTime',
  'status.completionTime',
  'status.conditions.type',
  'status.conditions.status',
  'status.conditions.reason',
]

export const pipelineRuns = {
  /** Those that the cluster has; the others are in the history. */
  list: (namespace: string, labels?: Record<string, string>) =>
    listQuery(pipelineRunType, { namespace, labels, mask: listedFields }, { isGradual: true }),
  history: (selection: HistorySelection) => historyQuery(pipelineRunType, selection, { mask: listedFields }),
  get: (namespace: string, name: string) =>
    getQuery(pipelineRunType, { namespace, name }, { live: true, orArchive: true }),
}
