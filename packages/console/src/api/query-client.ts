import { ApiError, retryAfterMs } from '@slipway/kube/status'
import {
  type DefaultError,
  type FetchQueryOptions,
  QueryClient,
  type QueryKey,
  QueryObserver,
} from '@tanstack/react-query'
import { onRecovery } from './live/outage'

/** A read counts as fresh for this long (specification 1, section 9). */
export const staleTimeMs = 30_000
const retries = 3
const firstRetryDelayMs = 2_000

/** Whether an error may go away by itself: a lost network, an overloaded or failing server, a timeout. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 0 || error.code === 408 || error.code === 429 || error.code >= 500)

/** What is awaited outside of components, such as in a loader, is not cancelled by the components that use it too. */
class AwaitingQueryClient extends QueryClient {
  override async fetchQuery<T, E = DefaultError, D = T, K extends QueryKey = QueryKey, P = never>(
    options: FetchQueryOptions<T, E, D, K, P>,
  ): Promise<D> {
    // TanStack Query cancels a request when its last observer leaves, although a promise of it is still awaited. React's
    // strict mode, for one, removes every component once before it stays. This observer requests nothing itself.
    const observer = new QueryObserver<T, E, D, D, K>(this, { ...options, enabled: false })
    const release = observer.subscribe(() => undefined)
    try {
      return await super.fetchQuery(options)
    } finally {
      release()
    }
  }

  /** Not awaited for its data: a page that the user has left needs no more of it. */
  override async prefetchQuery<T, E = DefaultError, D = T, K extends QueryKey = QueryKey>(
    options: FetchQueryOptions<T, E, D, K>,
  ): Promise<void> {
    await super.fetchQuery(options).catch(() => undefined)
  }
}

export const createQueryClient = (): QueryClient =>
  new AwaitingQueryClient({
    defaultOptions: {
      queries: {
        staleTime: staleTimeMs,
        retry: (failures, error) => failures < retries && isTransient(error),
        retryDelay: (failures, error) => Math.max(firstRetryDelayMs * 2 ** failures, retryAfterMs(error)),
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
