import type { KubeObject } from '@slipway/kube/object'
import { resourcePath } from '@slipway/kube/path'
import type { ResourceType } from '@slipway/kube/resource-type'
import { ApiError } from '@slipway/kube/status'

/** For an object that may exist, but not for the page that asks for it. @param message says why */
export const notFoundError = <T extends KubeObject>(
  type: ResourceType<T>,
  ref: { namespace: string; name: string },
  message: string,
): ApiError => new ApiError({ code: 404, reason: 'NotFound', url: resourcePath(type, ref), message })
