import type { KubeObject } from '@slipway/kube/object'
import { isBeingDeleted } from '../../api/archive/origin'

/** Why nothing can be done any more with an object that is being deleted, or `false`. @param noun as in `release plan` */
export const deletingReason = (object: KubeObject, noun: string): string | false =>
  isBeingDeleted(object) && `This ${noun} is being deleted`
