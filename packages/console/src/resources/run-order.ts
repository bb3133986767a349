import { type Run, startKey, startOf } from '@slipway/model/runs/tekton'
import { keptOnlyIn } from '../api/archive/archived'

/** Newest start first: a run that waits is newer than all that have begun, unless it is gone and never will begin. */
export const newestStart = (run: Run): string => (keptOnlyIn(run) ? startOf(run) : startKey(run))
