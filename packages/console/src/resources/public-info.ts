import { configMapType } from '@slipway/kube/core-types'
import { parsePublicInfo, publicInfoLocation } from '@slipway/model/platform/public-info'
import { queryOptions } from '@tanstack/react-query'
import { getQuery } from '../api/queries'

export const publicInfo = {
  get: () => queryOptions({ ...getQuery(configMapType, publicInfoLocation), select: parsePublicInfo }),
}
