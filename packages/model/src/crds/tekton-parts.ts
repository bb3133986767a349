import { anything, boolean, booleans, integer, listOf, mapOf, object, params, string, strings } from './define-crd'
import { computeResources, container, podTemplate, sidecarOnly } from './pods'

/** Parts that several kinds of Tekton have in common. */

const metadata = object({ annotations: mapOf(string), labels: mapOf(string) })

/** Resources of a step or of a sidecar. */
export const resourcesOfPart = listOf(object({ computeResources, name: string }, ['computeResources', 'name']))

export const timeouts = object(strings('finally', 'pipeline', 'tasks'))

/** What a run changes for one of its tasks. */
export const taskRunSpecs = listOf(
  object({
    computeResources,
    metadata,
    ...strings('pipelineTaskName', 'serviceAccountName', 'timeout'),
    podTemplate,
    sidecarSpecs: resourcesOfPart,
    stepSpecs: resourcesOfPart,
  }),
)

export const customSpec = object({
  ...strings('apiVersion', 'kind'),
  metadata,
  spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
})

export const pipelineRef = object({ ...strings('apiVersion', 'name', 'resolver'), params })
export const taskRef = object({ ...strings('apiVersion', 'kind', 'name', 'resolver'), params })

export const when = listOf(object({ ...strings('cel', 'input', 'operator'), values: listOf(string) }))

const properties = mapOf(object({ type: string }))

/** Parameters that a pipeline or task declares. */
export const declaredParams = listOf(
  object({ default: anything, ...strings('description', 'name', 'type'), enum: listOf(string), properties }, ['name']),
)

const mountedWorkspaces = listOf(object(strings('mountPath', 'name'), ['mountPath', 'name']))
const output = object({ path: string })
const resultParts = { ...strings('description', 'name', 'type'), properties }

const step = object(
  {
    ...container,
    ...strings('name', 'displayName', 'onError', 'script', 'timeout'),
    params,
    ref: object({ ...strings('name', 'resolver'), params }),
    results: listOf(object(resultParts, ['name'])),
    stderrConfig: output,
    stdoutConfig: output,
    when,
    workspaces: mountedWorkspaces,
  },
  ['name'],
)

/** The spec of a Task, which a TaskRun repeats in its status. */
export const taskSpec = object({
  ...strings('displayName', 'description'),
  params: declaredParams,
  results: listOf(object({ ...resultParts, value: anything }, ['name'])),
  sidecars: listOf(
    object({ ...container, ...sidecarOnly, ...strings('name', 'script'), workspaces: mountedWorkspaces }, ['name']),
  ),
  stepTemplate: object(container),
  steps: listOf(step),
  volumes: anything,
  workspaces: listOf(
    object({ ...strings('description', 'mountPath', 'name'), ...booleans('optional', 'readOnly') }, ['name']),
  ),
})

/** Where a pipeline or task came from, and the settings of Tekton at that time. */
export const provenance = object({
  featureFlags: object({
    ...booleans('awaitSidecarReadiness', 'disableCredsInit', 'enableArtifacts', 'enableCELInWhenExpression'),
    ...booleans('enableConciseResolverSyntax', 'enableKeepPodOnCancel', 'enableKubernetesSidecar', 'enableParamEnum'),
    ...booleans('enableProvenanceInStatus', 'enableStepActions', 'enableTektonOCIBundles'),
    ...booleans('enableTerminationMessageCompression', 'enableWaitExponentialBackoff', 'requireGitSSHSecretKnownHosts'),
    ...booleans('runningInEnvWithInjectedSidecars', 'sendCloudEventsForRuns', 'setSecurityContext'),
    setSecurityContextReadOnlyRootFilesystem: boolean,
    ...strings('coschedule', 'disableInlineSpec', 'enableAPIFields', 'enforceNonfalsifiability'),
    ...strings('resultExtractionMethod', 'verificationNoMatchPolicy'),
    maxResultSize: integer,
  }),
  refSource: object({ digest: mapOf(string), ...strings('entryPoint', 'uri') }),
})
