import { ApiError } from '@slipway/kube/status'
import { onRecovery } from './live/outage'
import { QueryClient } from '@tanstack/react-query'

/** A read counts as fresh for this long (specification 1, section 9). */
export const staleTimeMs = 30_000
const retries = 3
const firstRetryDelayMs = 2_000

/** Only what may pass by itself: a lost network, an overloaded or failing server, a time-out. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 0 || error.code === 408 || error.code === 429 || error.code >= 500)

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: staleTimeMs,
        retry: (failures, error) => failures < retries && isTransient(error),
        retryDelay: (failures) => firstRetryDelayMs * 2 ** failures,
        // A console on the user's own machine works without any network, so the browser's word for it is not taken.
        networkMode: 'always',
        // Which makes the next line necessary: what failed without a network is read again with it.
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })

/** The one of the application; loaders and components share it. */
export const queryClient = createQueryClient()

onRecovery(
  () => void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => isTransient(state.error) }),
)
