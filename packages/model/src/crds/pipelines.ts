import { anything, boolean, defineCrd, integer, listOf, object, params, string, strings } from './define-crd'
import { declaredParams, pipelineRef, taskRef, when } from './tekton-parts'

const pipelineTask = object({
  ...strings('name', 'displayName', 'description', 'onError', 'timeout'),
  matrix: object({ include: listOf(object({ name: string, params })), params }),
  params,
  pipelineRef,
  pipelineSpec: anything,
  retries: integer,
  runAfter: listOf(string),
  taskRef,
  taskSpec: anything,
  when,
  workspaces: listOf(object(strings('name', 'subPath', 'workspace'), ['name'])),
})

export const pipelines = defineCrd({
  group: 'tekton.dev',
  kind: 'Pipeline',
  plural: 'pipelines',
  categories: ['tekton', 'tekton-pipelines'],
  versions: [
    {
      name: 'v1',
      spec: object({
        ...strings('displayName', 'description'),
        params: declaredParams,
        tasks: listOf(pipelineTask),
        finally: listOf(pipelineTask),
        results: listOf(object({ ...strings('description', 'name', 'type'), value: anything }, ['name', 'value'])),
        workspaces: listOf(object({ ...strings('name', 'description'), optional: boolean }, ['name'])),
      }),
    },
  ],
})
