import { anything, defineCrd, listOf, open, string } from './define-crd'

const pipelineTask = open({
  name: string,
  taskRef: open({ name: string, kind: string, resolver: string }),
  taskSpec: open(),
  runAfter: listOf(string),
  params: listOf(open({ name: string, value: anything }, ['name', 'value'])),
})

export const pipelines = defineCrd({
  group: 'tekton.dev',
  kind: 'Pipeline',
  plural: 'pipelines',
  categories: ['tekton', 'tekton-pipelines'],
  versions: [
    {
      name: 'v1',
      spec: open({
        displayName: string,
        description: string,
        tasks: listOf(pipelineTask),
        finally: listOf(pipelineTask),
      }),
    },
  ],
})
