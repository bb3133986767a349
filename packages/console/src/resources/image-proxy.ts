import { configMapType } from '@slipway/kube/core-types'
import { parseImageProxy } from '@slipway/model/platform/image-proxy'
import { publicInfoLocation } from '@slipway/model/platform/public-info'
import { queryOptions } from '@tanstack/react-query'
import { getQuery } from '../api/queries'

export const imageProxy = {
  /** From the same config map as `publicInfo`, which is read once; `null` if the platform has none. */
  get: () =>
    queryOptions({ ...getQuery(configMapType, publicInfoLocation), select: (map) => parseImageProxy(map) ?? null }),
}
