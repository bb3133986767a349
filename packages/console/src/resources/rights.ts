import { applicationType } from '@slipway/model/supply-chain/application'
import { componentType } from '@slipway/model/supply-chain/component'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { snapshotType } from '@slipway/model/supply-chain/snapshot'
import type { AccessCheck } from '../api/access/access-review'

/** Which rights the controls of those pages take that most visits begin with. */

/** What it takes to create an application. */
export const toCreateApplication = (namespace: string): AccessCheck[] => [
  { verb: 'create', type: applicationType, namespace },
  { verb: 'create', type: componentType, namespace },
]

/** What it takes to delete an application. */
export const toDeleteApplication = (namespace: string): AccessCheck[] => [
  { verb: 'delete', type: applicationType, namespace },
]

/** What it takes to stop or cancel a run. */
export const stopRunChecks = (namespace: string): AccessCheck[] => [{ verb: 'patch', type: pipelineRunType, namespace }]
/** What it takes to run it again. */
export const rerunChecks = (namespace: string): AccessCheck[] => [
  { verb: 'patch', type: componentType, namespace },
  { verb: 'patch', type: snapshotType, namespace },
]

/** What it takes to do anything with a run. */
export const runActionChecks = (namespace: string): AccessCheck[] => [
  ...stopRunChecks(namespace),
  ...rerunChecks(namespace),
]
