import { anything, defineCrd, listOf, open, runColumns, string, tektonConditions, time } from './define-crd'

export const customRuns = defineCrd({
  group: 'tekton.dev',
  kind: 'CustomRun',
  plural: 'customruns',
  categories: ['tekton', 'tekton-pipelines'],
  versions: [
    {
      name: 'v1beta1',
      spec: open({
        status: string,
        customRef: open({ apiVersion: string, kind: string, name: string }),
        params: listOf(open({ name: string, value: anything }, ['name', 'value'])),
      }),
      status: open({
        conditions: tektonConditions,
        startTime: time,
        completionTime: time,
        results: listOf(open({ name: string, value: anything }, ['name', 'value'])),
      }),
      columns: runColumns,
    },
  ],
})
