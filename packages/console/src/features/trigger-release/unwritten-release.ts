import { buildRelease } from '@slipway/model/releases/triggered-release'
import { emptyTrigger } from './trigger-release-form'

/** The release of a snapshot by a plan that has not been created, for what compares it with earlier ones. */
export const unwrittenRelease = (namespace: string, releasePlan: string, snapshot: string) =>
  buildRelease({ ...emptyTrigger, namespace, releasePlan, snapshot, references: [], labels: {} })
