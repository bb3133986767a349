import { type Run, startKey, startOf } from '@slipway/model/runs/tekton'
import { originOf } from '../api/archive/origin'

/** For newest start first: a pending run sorts as the newest, unless it was deleted and will never start. */
export const newestStart = (run: Run): string => (originOf(run) ? startOf(run) : startKey(run))
