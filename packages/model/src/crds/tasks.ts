import { defineCrd, listOf, open, string } from './define-crd'

export const tasks = defineCrd({
  group: 'tekton.dev',
  kind: 'Task',
  plural: 'tasks',
  categories: ['tekton', 'tekton-pipelines'],
  versions: [
    {
      name: 'v1',
      spec: open({
        displayName: string,
        description: string,
        steps: listOf(open({ name: string, image: string, script: string })),
        results: listOf(open({ name: string, description: string }, ['name'])),
      }),
    },
  ],
})
