import { configMapType } from '@slipway/kube/core-types'
import { isForbidden } from '@slipway/kube/status'
import { notificationLocation } from '@slipway/model/platform/notification'
import { queryOptions } from '@tanstack/react-query'
import { listQuery } from '../api/queries'

const rereadMs = 60_000

export const notifications = {
  /** The config maps that hold them; `notificationsOf` reads them. It takes the right to list, seldom that to watch. */
  list: () =>
    queryOptions({
      ...listQuery(configMapType, notificationLocation, { live: false }),
      // Who may not read them is not asked for them again and again.
      refetchInterval: ({ state }) => (isForbidden(state.error) ? false : rereadMs),
    }),
}
