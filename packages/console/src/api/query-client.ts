import { ApiError } from '@slipway/kube/status'
import { QueryClient } from '@tanstack/react-query'
import { onRecovery } from './live/outage'

/** A read counts as fresh for this long (specification 1, section 9). */
export const staleTimeMs = 30_000
const retries = 3
const firstRetryDelayMs = 2_000

/** Whether an error may go away by itself: a lost network, an overloaded or failing server, a timeout. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 0 || error.code === 408 || error.code === 429 || error.code >= 500)

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: staleTimeMs,
        retry: (failures, error) => failures < retries && isTransient(error),
        retryDelay: (failures) => firstRetryDelayMs * 2 ** failures,
        // A console on the user's own machine works without a network, so the browser's online state is ignored.
        networkMode: 'always',
        // This mode would turn off refetching when the network is back.
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })

/** The application's query client, shared by loaders and components. */
export const queryClient = createQueryClient()

onRecovery(
  () => void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => isTransient(state.error) }),
)
