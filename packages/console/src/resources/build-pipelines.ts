import { configMapType } from '@slipway/kube/core-types'
import { isForbidden, isNotFound } from '@slipway/kube/status'
import {
  type BuildPipelines,
  buildPipelinesEntry,
  buildPipelinesLocation,
  builtInPipelines,
} from '@slipway/model/import/build-pipelines'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client'
import { getKey } from '../api/queries'

interface AvailablePipelines extends BuildPipelines {
  /** Why the built-in list stands in for that of the platform; absent if it has none. */
  fallbackFor?: 'invalid' | 'forbidden'
}

const { namespace, name } = buildPipelinesLocation

export const buildPipelines = {
  /** Those of the platform; the built-in ones if it has no list of its own. */
  get: () =>
    queryOptions({
      queryKey: [...getKey(configMapType, namespace, name), 'pipelines'],
      queryFn: async ({ signal }): Promise<AvailablePipelines> => {
        const config = await client.get(configMapType, name, { namespace, signal }).catch((error: unknown) => {
          if (isNotFound(error)) return undefined
          // Also the response where the namespace does not exist, since then no user may read it.
          if (isForbidden(error)) return 'forbidden'
          throw error
        })
        if (!config) return builtInPipelines
        if (config === 'forbidden') return { ...builtInPipelines, fallbackFor: config }
        const { parseBuildPipelines } = await import('@slipway/model/import/parse-build-pipelines')
        const parsed = parseBuildPipelines(config.data?.[buildPipelinesEntry] ?? '')
        return parsed ?? { ...builtInPipelines, fallbackFor: 'invalid' }
      },
    }),
}
