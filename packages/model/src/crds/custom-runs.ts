import {
  anything,
  defineCrd,
  integer,
  mapOf,
  object,
  params,
  runColumns,
  string,
  strings,
  tektonConditions,
  textParams,
  time,
} from './define-crd'
import { workspaceBindings } from './pods'
import { customSpec } from './tekton-parts'

export const customRuns = defineCrd({
  group: 'tekton.dev',
  kind: 'CustomRun',
  plural: 'customruns',
  categories: ['tekton', 'tekton-pipelines'],
  versions: [
    {
      name: 'v1beta1',
      spec: object({
        customRef: object({ ...strings('apiVersion', 'bundle', 'kind', 'name', 'resolver'), params }),
        customSpec,
        params,
        retries: integer,
        ...strings('serviceAccountName', 'status', 'statusMessage', 'timeout'),
        workspaces: workspaceBindings,
      }),
      status: object({
        annotations: mapOf(string),
        conditions: tektonConditions,
        startTime: time,
        completionTime: time,
        extraFields: anything,
        observedGeneration: integer,
        results: textParams,
        retriesStatus: anything,
      }),
      columns: runColumns,
    },
  ],
})
