import { type Run, startKey, startOf } from '@slipway/model/runs/tekton'
import { originOf } from '../api/archive/origin'

/** Newest start first: a run that waits is newer than all that have begun, unless it is gone and never will begin. */
export const newestStart = (run: Run): string => (originOf(run) ? startOf(run) : startKey(run))
