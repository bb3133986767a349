import { configMapType } from '@slipway/kube/core-types'
import { isNotFound } from '@slipway/kube/status'
import type { Banner } from '@slipway/model/platform/banner'
import { bannerEntry, bannerLocation } from '@slipway/model/platform/public-info'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client'
import { getKey } from '../api/queries'

/** Nobody may watch the config map, and a banner is seldom urgent to the minute. */
const rereadMs = 300_000
const { namespace, name } = bannerLocation

/** Nothing once the config map has been deleted: what was announced before must not stay on the screens. */
const contentOf = (signal: AbortSignal) =>
  client.get(configMapType, name, { namespace, signal }).then(
    ({ data }) => data,
    (error: unknown) => {
      if (isNotFound(error)) return undefined
      throw error
    },
  )

export const banners = {
  /** Those that make sense, whether their windows are open or not. */
  list: () =>
    queryOptions({
      queryKey: [...getKey(configMapType, namespace, name), 'banners'],
      queryFn: async ({ signal }): Promise<Banner[]> => {
        const data = await contentOf(signal)
        const text = data?.[bannerEntry]?.trim() ?? ''
        // The usual case needs no YAML.
        if (text === '' || text === '[]') return []
        const { parseBanners } = await import('@slipway/model/platform/banner-content')
        const { banners, errors: problems } = parseBanners(text)
        for (const problem of problems) console.warn(`Banner left out. ${problem}`)
        return banners
      },
      refetchInterval: rereadMs,
    }),
}
