import { boolean, integer, listOf, object, reference, string, strings, textParams, type Schema } from './define-crd'
import { taskRunSpecs, timeouts } from './tekton-parts'

/** A pipeline that a release plan or an admission configures, without its parameters. */
export const releasePipeline: Record<string, Schema> = {
  maxRetries: { ...integer, minimum: 0 },
  pipelineRef: object({ ...strings('ociStorage', 'resolver'), params: textParams, useEmptyDir: boolean }, [
    'params',
    'resolver',
  ]),
  serviceAccountName: reference,
  taskRunSpecs,
  timeouts,
}

/** What collects the facts of a release before its pipeline runs. */
export const collectors = object(
  {
    items: listOf(
      object({ name: reference, type: reference, params: textParams, timeout: integer }, ['name', 'params', 'type']),
    ),
    secrets: listOf(string),
    serviceAccountName: reference,
  },
  ['items'],
)
