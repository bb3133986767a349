import { anything, defineCrd, listOf, open, runColumns, string, tektonConditions, time } from './define-crd'

export const taskRuns = defineCrd({
  group: 'tekton.dev',
  kind: 'TaskRun',
  plural: 'taskruns',
  shortNames: ['tr', 'trs'],
  categories: ['tekton', 'tekton-pipelines'],
  versions: [
    {
      name: 'v1',
      spec: open({
        status: string,
        managedBy: string,
        params: listOf(open({ name: string, value: anything }, ['name', 'value'])),
        taskRef: open({ name: string, kind: string, resolver: string }),
        taskSpec: open(),
        serviceAccountName: string,
      }),
      status: open({
        conditions: tektonConditions,
        podName: string,
        startTime: time,
        completionTime: time,
        results: listOf(open({ name: string, type: string, value: anything }, ['name', 'value'])),
        steps: listOf(open({ name: string, container: string })),
        taskSpec: open(),
      }),
      columns: runColumns,
    },
  ],
})
