import { defineCrd } from './define-crd'
import { taskSpec } from './tekton-parts'

export const tasks = defineCrd({
  group: 'tekton.dev',
  kind: 'Task',
  plural: 'tasks',
  categories: ['tekton', 'tekton-pipelines'],
  versions: [{ name: 'v1', spec: taskSpec }],
})
