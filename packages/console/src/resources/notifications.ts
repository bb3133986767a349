import { configMapType } from '@slipway/kube/core-types'
import { isForbidden } from '@slipway/kube/status'
import { notificationLocation } from '@slipway/model/platform/notification'
import { queryOptions } from '@tanstack/react-query'
import { listQuery } from '../api/queries'

const refetchMs = 60_000

export const notifications = {
  /** Their config maps, which `notificationsOf` parses. Users can list them, but rarely watch them. */
  list: () =>
    queryOptions({
      ...listQuery(configMapType, notificationLocation, { live: false }),
      // Do not repeat the request if the user may not read them.
      refetchInterval: ({ state }) => (isForbidden(state.error) ? false : refetchMs),
    }),
}
