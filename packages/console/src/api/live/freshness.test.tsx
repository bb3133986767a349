import { ApiError } from '@slipway/kube/status'
import { namespaceType } from '@slipway/kube/core-types'
import { applicationType } from '@slipway/model/builds/application'
import { QueryClientProvider, type Query } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, it, onTestFinished, test, vi } from 'vitest'
import type { ListWatchState } from '@slipway/kube/list-watch-machine'
import { offlineSince, startConnectivity } from './connectivity'
import { freshnessOf, useFreshness, type Freshness } from './freshness'
import { setLiveState } from './live-state'
import { listQuery } from '../queries'
import { queryClient } from '../query-client'

const at = Date.UTC(2026, 0, 31, 9)
const asOf = new Date(at)
const query = listQuery(applicationType, { namespace: 'a' })
const failure = new ApiError({ code: 500, message: 'etcd is down', url: '/x' })

afterEach(() => {
  queryClient.clear()
  vi.restoreAllMocks()
})

/** A list in the cache as it is after a read, and after a failed one. */
function cached({ error = null, live }: { error?: Error | null; live?: Partial<ListWatchState> } = {}): Query {
  queryClient.setQueryData(query.queryKey, { metadata: {}, items: [] }, { updatedAt: at })
  const cached = queryClient.getQueryCache().find({ queryKey: query.queryKey }) ?? expect.fail('nothing is cached')
  if (error) cached.setState({ error, status: 'error' })
  if (live) setLiveState(cached, { connection: 'open', isPolling: false, ...live })
  return cached
}

test.each<[string, Parameters<typeof cached>[0], Freshness]>([
  ['a list with an open watch', { live: {} }, { kind: 'live', asOf }],
  [
    'a list whose watch has received a bookmark',
    { live: { asOf: at + 5_000 } },
    { kind: 'live', asOf: new Date(at + 5_000) },
  ],
  ['a failed read of a list with an open watch', { error: failure, live: {} }, { kind: 'live', asOf }],
  ['a connection that is being opened', { live: { connection: 'init' } }, { kind: 'loading', asOf }],
  ['a lost connection', { live: { connection: 'closed', reason: 'lost' } }, { kind: 'stale', asOf, reason: 'lost' }],
  [
    'polling',
    { live: { connection: 'error', isPolling: true, reason: 'no sockets' } },
    { kind: 'polling', asOf, reason: 'no sockets' },
  ],
  [
    'polling that fails',
    { error: failure, live: { connection: 'error', isPolling: true, reason: 'no sockets' } },
    { kind: 'stale', asOf, reason: 'etcd is down' },
  ],
  ['a list without a watch', {}, { kind: 'static', asOf }],
  ['a failed read of a list without a watch', { error: failure }, { kind: 'stale', asOf, reason: 'etcd is down' }],
])('%s', (_, state, expected) => {
  cached(state)
  expect(freshnessOf(query.queryKey)).toEqual(expected)
})

it('a list is loading, and not static, until its watch has started', () => {
  const cache = queryClient.getQueryCache()
  const { queryKey, meta } = query
  cache.build(queryClient, { queryKey, meta }).setData({ metadata: {}, items: [] }, { manual: true, updatedAt: at })
  expect(freshnessOf(query.queryKey)).toEqual({ kind: 'loading', asOf })
})

it('a list that was never requested is loading', () => {
  expect(freshnessOf(listQuery(namespaceType).queryKey)).toEqual({ kind: 'loading' })
})

it('a list is offline without a network, until an event arrives anyway', () => {
  onTestFinished(startConnectivity(() => Promise.reject(new Error('no network'))))
  dispatchEvent(new Event('offline'))
  const query = cached({ live: { connection: 'error', reason: 'lost' } })
  expect(freshnessOf(query.queryKey)).toEqual({ kind: 'offline', asOf, reason: 'lost', since: offlineSince() })
  setLiveState(query, { connection: 'open', isPolling: false })
  expect(freshnessOf(query.queryKey).kind).toBe('offline')
  setLiveState(query, { connection: 'open', isPolling: false, asOf: Date.now() })
  expect(freshnessOf(query.queryKey).kind).toBe('live')
})

it('a component re-renders when its freshness changes, and only then', () => {
  const entry = cached({ live: {} })
  let renders = 0
  const Badge = () => {
    renders++
    return <p>{useFreshness([query]).kind}</p>
  }
  render(
    <QueryClientProvider client={queryClient}>
      <Badge />
    </QueryClientProvider>,
  )
  act(() => setLiveState(entry, { connection: 'open', isPolling: false }))
  expect(renders).toBe(1)
  act(() => setLiveState(entry, { connection: 'error', isPolling: true, reason: 'no sockets' }))
  expect(screen.getByText('polling')).toBeVisible()
  expect(renders).toBe(2)
})
