import type { ApiTarget } from '../target'
import { createProjector, createSecretProjector, type Projector } from './projector'
import { maskedRequest } from './request'
import { acceptedJson, isForSecrets } from './secrets'

/** How to change the objects in the response to a request. */
export interface ResponseFilter {
  /** The target without the mask, for the upstream. */
  target: ApiTarget
  /** The types to request from the upstream. */
  accept: string
  /** Whether only events are expected, one after the other. */
  isWatch: boolean
  /** Whether a response that cannot be filtered must be withheld. */
  hidesValues: boolean
  /**
   * The steps, in order.
   * @param inFrames whether each event is a document of its own, as on a websocket
   */
  createProjectors(inFrames?: boolean): Projector[]
}

/**
 * Returns how to filter a response: by the `fieldMask` of the request, and without the values of Secrets, whatever is done
 * with them; `undefined` if it is to be passed on unchanged.
 * @throws HttpError 400 or 406 if the request cannot be served that way
 */
export function responseFilter(target: ApiTarget, accept: string | undefined): ResponseFilter | undefined {
  const masked = maskedRequest(target, accept)
  const hidesValues = isForSecrets(target)
  if (!masked && !hidesValues) return undefined
  const isWatch = target.request.verb === 'watch'
  return {
    target: masked?.target ?? target,
    accept: masked ? 'application/json' : acceptedJson(accept),
    isWatch,
    hidesValues,
    createProjectors: (inFrames = false) => [
      ...(hidesValues ? [createSecretProjector(isWatch && !inFrames ? 'watch' : 'item')] : []),
      ...(masked ? [createProjector(masked.mask, inFrames ? 'event' : masked.layout)] : []),
    ],
  }
}
