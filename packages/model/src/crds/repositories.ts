import { defineCrd, listOf, oneOf, open, string, tektonConditions, time } from './define-crd'

/** Outcome of recent runs. Pipelines as Code stores it next to the status, not in it. */
const runStatus = open({
  conditions: tektonConditions,
  pipelineRunName: string,
  sha: string,
  startTime: time,
  completionTime: time,
})
const lastRun = '.pipelinerun_status[-1]'

export const repositories = defineCrd({
  group: 'pipelinesascode.tekton.dev',
  kind: 'Repository',
  plural: 'repositories',
  shortNames: ['repo'],
  required: ['metadata', 'spec'],
  versions: [
    {
      name: 'v1alpha1',
      spec: open({
        url: string,
        git_provider: open({
          type: oneOf('github', 'gitlab', 'bitbucket-datacenter', 'bitbucket-cloud', 'gitea', 'forgejo'),
          url: string,
          secret: open({ name: string, key: string }, ['name']),
          webhook_secret: open({ name: string, key: string }, ['name']),
        }),
        params: listOf(open({ name: string, value: string }, ['name'])),
        settings: open(),
      }),
      properties: { pipelinerun_status: listOf(runStatus) },
      columns: [
        { name: 'URL', type: 'string', jsonPath: '.spec.url' },
        { name: 'Succeeded', type: 'string', jsonPath: `${lastRun}.conditions[?(@.type=="Succeeded")].status` },
        { name: 'Reason', type: 'string', jsonPath: `${lastRun}.conditions[?(@.type=="Succeeded")].reason` },
        { name: 'StartTime', type: 'date', jsonPath: `${lastRun}.startTime` },
        { name: 'CompletionTime', type: 'date', jsonPath: `${lastRun}.completionTime` },
      ],
    },
  ],
})
