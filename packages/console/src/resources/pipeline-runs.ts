import { type FieldPath, fieldPath } from '@slipway/kube/field-mask'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { taskRunType } from '@slipway/model/runs/task-run'
import { componentType } from '@slipway/model/builds/component'
import { mintMakerNamespace } from '@slipway/model/platform/namespace'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { pipelineRunView, updatedIn } from '@slipway/model/views/pipeline-runs'
import { runFields } from '@slipway/model/views/pipeline-run-fields'
import { rowFields } from '@slipway/model/views/row-fields'
import type { AccessCheck } from '../api/access/access-review'
import { permission } from '../api/access/permission'
import { historyQuery, type HistorySelection } from '../api/archive/history'
import { archivedObject } from '../api/archive/when-missing'
import { firstPageQuery, getQuery, listQuery } from '../api/queries'
import { newestStart } from '../api/archive/origin'

const queueFields: readonly FieldPath[] = [
  ...rowFields,
  fieldPath('metadata', 'labels', labels.repository),
  fieldPath('metadata', 'labels', labels.runState),
  fieldPath('metadata', 'annotations', annotations.executionOrder),
  'spec.status',
  'status.conditions.type',
  'status.conditions.status',
]

/** Runs that meet all of these conditions. */
export interface RunSelection {
  namespace: string
  application?: string
  component?: string
  integrationTest?: string
  commit?: string
  snapshot?: string
}

export const pipelineRuns = {
  /** The runs of a list page: those in the cluster as a view, and what an archive has behind them. */
  view({ namespace, application, component, integrationTest: scenario, commit, snapshot }: RunSelection) {
    const fields = { application, component, scenario, commit, snapshot }
    return {
      view: {
        kind: pipelineRunView.id,
        namespaces: [namespace],
        where: Object.fromEntries(
          Object.entries(fields).flatMap(([field, value]) => (value === undefined ? [] : [[field, [value]]])),
        ),
      },
      archive: {
        type: pipelineRunType,
        selection: {
          namespace,
          labels: {
            ...(application && { [labels.application]: application }),
            ...(component && { [labels.component]: component }),
            ...(scenario && { [labels.scenario]: scenario }),
          },
          ...(commit && { commit }),
          ...(snapshot && { snapshot }),
        },
        mask: runFields,
        newestBy: newestStart,
        sort: pipelineRunView.order,
      },
    }
  },
  /** The runs in the cluster; the history has the others too. */
  list: (namespace: string, labels?: Record<string, string>) =>
    listQuery(pipelineRunType, { namespace, labels, mask: runFields }, { isGradual: true }),
  /** The test runs of an application: one list, whatever the number of its tests and snapshots. */
  ofTests: (namespace: string, application: string) =>
    pipelineRuns.list(namespace, { [labels.application]: application, [labels.pipelineType]: 'test' }),
  /** As a view, the newest test run of each integration test, of an application or else of the namespace. */
  newestOfTests: (namespace: string, application?: string) => ({
    kind: pipelineRunType.plural,
    namespaces: [namespace],
    where: { type: ['Test'], ...(application !== undefined && { application: [application] }) },
    firstOf: 'scenario',
  }),
  /** The runs of a repository, with what decides in which order its queue starts them. */
  ofRepository: (namespace: string, repository: string) =>
    listQuery(pipelineRunType, { namespace, labels: { [labels.repository]: repository }, mask: queueFields }),
  /** A limited number of them, for a search that must not read them all. */
  some: (namespace: string, labels: Record<string, string> | undefined, limit: number) =>
    firstPageQuery(pipelineRunType, { namespace, labels, mask: runFields }, limit),
  /** When the runs of a queue were created and started: the first thousand, which have a `metadata.continue` if there are more. */
  waits: (namespace: string, queue: string) =>
    firstPageQuery(
      pipelineRunType,
      { namespace, labels: { [labels.queueName]: queue }, mask: ['metadata.creationTimestamp', 'status.startTime'] },
      1_000,
    ),
  history: (selection: HistorySelection) =>
    historyQuery(pipelineRunType, selection, { mask: runFields, newestBy: newestStart }),
  /** The runs in which MintMaker looks for newer versions of what a component depends on. */
  dependencyUpdates(namespace: string, component: string) {
    const { view, archive } = pipelineRuns.view({ namespace: mintMakerNamespace })
    const own = { [labels.updatedComponent]: component, [labels.updatedNamespace]: namespace }
    return {
      view: { ...view, where: { updated: [updatedIn(namespace, component)] } },
      archive: { ...archive, selection: { ...archive.selection, labels: own } },
    }
  },
  get: (namespace: string, name: string) =>
    getQuery(pipelineRunType, { namespace, name }, { live: true, whenMissing: archivedObject }),
}

/** The permissions needed to open the page of a run. */
export const openRunChecks = (namespace: string): AccessCheck[] => [
  { verb: 'list', type: pipelineRunType, namespace },
  { verb: 'list', type: taskRunType, namespace },
]

export const rerunPermission = permission(
  "You don't have access to rerun",
  ['patch', componentType],
  ['patch', snapshotType],
)
