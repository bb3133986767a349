import { configMapType } from '@slipway/kube/core-types'
import { isNotFound } from '@slipway/kube/status'
import type { Banner } from '@slipway/model/platform/banner'
import { bannerEntry, bannerLocation } from '@slipway/model/platform/public-info'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client'
import { getKey } from '../api/queries'

/** Users may not watch the config map, and a banner is rarely urgent to the minute. */
const refetchMs = 300_000
const { namespace, name } = bannerLocation

/** The content; `undefined` if the config map was deleted, so that an old banner does not stay on the screen. */
const contentOf = (signal: AbortSignal) =>
  client.get(configMapType, name, { namespace, signal }).then(
    ({ data }) => data,
    (error: unknown) => {
      if (isNotFound(error)) return undefined
      throw error
    },
  )

export const banners = {
  /** All valid banners, whether their windows are open or not. */
  list: () =>
    queryOptions({
      queryKey: [...getKey(configMapType, namespace, name), 'banners'],
      queryFn: async ({ signal }): Promise<Banner[]> => {
        const data = await contentOf(signal)
        const text = data?.[bannerEntry]?.trim() ?? ''
        // Usually no banner is set: do not load the YAML parser.
        if (text === '' || text === '[]') return []
        const { parseBanners } = await import('@slipway/model/platform/banner-content')
        const { banners, errors } = parseBanners(text)
        for (const error of errors) console.warn(`Banner ignored. ${error}`)
        return banners
      },
      refetchInterval: refetchMs,
      staleTime: refetchMs,
    }),
}
