import {
  anything,
  boolean,
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
import { computeResources, podTemplate, stateOfContainer, workspaceBindings } from './pods'
import { provenance, resourcesOfPart, taskRef, taskSpec } from './tekton-parts'

const artifacts = listOf(
  object({
    buildOutput: boolean,
    name: string,
    values: listOf(object({ digest: mapOf(string), uri: string })),
  }),
)
const results = listOf(object({ ...strings('name', 'type'), value: anything }, ['name', 'value']))
const containerStatus = { ...strings('container', 'imageID', 'name'), ...stateOfContainer }

export const taskRuns = defineCrd({
  group: 'tekton.dev',
  kind: 'TaskRun',
  plural: 'taskruns',
  shortNames: ['tr', 'trs'],
  categories: ['tekton', 'tekton-pipelines'],
  versions: [
    {
      name: 'v1',
      spec: object({
        computeResources,
        debug: object({ breakpoints: object({ beforeSteps: listOf(string), onFailure: string }) }),
        ...strings('managedBy', 'serviceAccountName', 'status', 'statusMessage', 'timeout'),
        params,
        podTemplate,
        retries: integer,
        sidecarSpecs: resourcesOfPart,
        stepSpecs: resourcesOfPart,
        taskRef,
        taskSpec: anything,
        workspaces: workspaceBindings,
      }),
      status: object({
        annotations: mapOf(string),
        artifacts: object({ inputs: artifacts, outputs: artifacts }),
        conditions: tektonConditions,
        podName: string,
        startTime: time,
        completionTime: time,
        observedGeneration: integer,
        provenance,
        results,
        // Of earlier versions of the API, whose objects may still be stored.
        taskResults: results,
        retriesStatus: anything,
        sidecars: listOf(object(containerStatus)),
        spanContext: mapOf(string),
        steps: listOf(
          object({
            ...containerStatus,
            terminationReason: string,
            inputs: artifacts,
            outputs: artifacts,
            provenance,
            results,
          }),
        ),
        taskSpec,
      }),
      columns: runColumns,
    },
  ],
})
