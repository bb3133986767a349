import {
  anything,
  defineCrd,
  integer,
  listOf,
  mapOf,
  object,
  params,
  runColumns,
  string,
  strings,
  tektonConditions,
  time,
} from './define-crd'
import { podTemplate, workspaceBindings } from './pods'
import { pipelineRef, provenance, taskRunSpecs, timeouts, when } from './tekton-parts'

export const pipelineRuns = defineCrd({
  group: 'tekton.dev',
  kind: 'PipelineRun',
  plural: 'pipelineruns',
  shortNames: ['pr', 'prs'],
  categories: ['tekton', 'tekton-pipelines'],
  versions: [
    {
      name: 'v1',
      spec: object({
        /** `Cancelled`, `CancelledRunFinally`, `StoppedRunFinally`, `PipelineRunPending`, or nothing. */
        status: string,
        managedBy: string,
        params,
        pipelineRef,
        pipelineSpec: anything,
        taskRunSpecs,
        taskRunTemplate: object({ podTemplate, serviceAccountName: string }),
        timeouts,
        workspaces: workspaceBindings,
      }),
      status: object({
        annotations: mapOf(string),
        childReferences: listOf(
          object({
            ...strings('apiVersion', 'displayName', 'kind', 'name', 'pipelineTaskName'),
            whenExpressions: when,
          }),
        ),
        conditions: tektonConditions,
        startTime: time,
        completionTime: time,
        finallyStartTime: time,
        observedGeneration: integer,
        pipelineSpec: anything,
        provenance,
        results: params,
        // Of earlier versions of the API, whose objects may still be stored.
        pipelineResults: params,
        skippedTasks: listOf(object({ ...strings('name', 'reason'), whenExpressions: when }, ['name', 'reason'])),
        spanContext: mapOf(string),
      }),
      columns: runColumns,
    },
  ],
})
