import { anything, defineCrd, listOf, open, runColumns, string, tektonConditions, time } from './define-crd'

export const pipelineRuns = defineCrd({
  group: 'tekton.dev',
  kind: 'PipelineRun',
  plural: 'pipelineruns',
  shortNames: ['pr', 'prs'],
  categories: ['tekton', 'tekton-pipelines'],
  versions: [
    {
      name: 'v1',
      spec: open({
        /** `Cancelled`, `CancelledRunFinally`, `StoppedRunFinally`, `PipelineRunPending`, or nothing. */
        status: string,
        managedBy: string,
        params: listOf(open({ name: string, value: anything }, ['name', 'value'])),
        pipelineRef: open({ name: string, resolver: string }),
        pipelineSpec: open(),
        taskRunTemplate: open({ serviceAccountName: string }),
        workspaces: listOf(open({ name: string }, ['name'])),
      }),
      status: open({
        conditions: tektonConditions,
        startTime: time,
        completionTime: time,
        results: listOf(open({ name: string, value: anything }, ['name', 'value'])),
        childReferences: listOf(open({ name: string, kind: string, pipelineTaskName: string })),
        skippedTasks: listOf(open({ name: string, reason: string }, ['name', 'reason'])),
        pipelineSpec: open(),
      }),
      columns: runColumns,
    },
  ],
})
