import { isForbidden, isNotFound } from '@slipway/kube/status'
import { pendingView, type ClientView } from '@slipway/views/client'
import { describe, expect, it, test } from 'vitest'
import { initialViewState, type ViewState } from './view-connection'
import { liveStateOfView, sourceOfView } from './view-source'

const row = { metadata: { uid: 'x', name: 'x' } }
const known: ClientView = { ...pendingView, isPending: false, rows: [row], total: 1, versions: { a: '7' } }
const state = (view: Partial<ClientView>, rest: Partial<ViewState> = {}): ViewState => ({
  ...initialViewState,
  host: 'service',
  view: { ...known, ...view },
  ...rest,
})
const source = (of: ViewState, namespaces = ['a']) =>
  sourceOfView(of, { name: 'things', namespaces, queryKey: ['view'], grow() {}, retry() {} })
const none = { rows: [], total: 0, versions: {} }
const lost = { sinceMs: 5, why: 'The live connection was lost.' }

describe('the source of a view', () => {
  it('has rows once any are known, and more if the window does not have all', () => {
    expect(source(initialViewState).rows).toBeUndefined()
    expect(source(state({}))).toMatchObject({ rows: [row], error: null, missing: [], more: undefined })
    expect(source(state({ total: 3 })).more).toMatchObject({ isLoading: false })
    expect(source(state({ total: 3 }, { isChanging: true })).more).toMatchObject({ isLoading: true })
    expect(source(state({ loading: ['a'] })).more).toMatchObject({ isLoading: true })
    // Nothing has arrived of the list, which is not the same as an empty list.
    expect(source(state({ ...none, loading: ['a'] })).rows).toBeUndefined()
    expect(source(state(none)).rows).toEqual([])
  })

  it('has failed with a 403 if everything is denied, and names what is denied of several namespaces', () => {
    const denied = source(state({ ...none, denied: ['a'] }))
    expect([denied.rows, isForbidden(denied.error)]).toEqual([undefined, true])
    const partly = source(state({ denied: ['b'] }), ['a', 'b'])
    expect([partly.rows, partly.error, partly.missing.map(({ name }) => name)]).toEqual([[row], null, ['namespace b']])
  })

  it('keeps trying while rights are not known or nothing could be read yet', () => {
    const unknown = source(state({ ...none, unknown: ['a'] }))
    expect([unknown.rows, unknown.error, unknown.retryReason?.message]).toEqual([
      undefined,
      null,
      'Your access to namespace a could not be checked.',
    ])
    const unread = source(state({ ...none, loading: ['a'], stale: { a: { sinceMs: 1, why: 'It is down.' } } }))
    expect([unread.rows, unread.retryReason?.message]).toEqual([undefined, 'It is down.'])
    expect(source({ ...initialViewState, lost }).retryReason?.message).toBe('The live connection was lost.')
  })

  it('has failed if the cluster has rejected its list', () => {
    const stale = { a: { sinceMs: 1, why: 'etcd is down', rejectedWith: 422 } }
    const rejected = source(state({ ...none, loading: ['a'], stale }))
    expect([rejected.rows, rejected.error?.message, rejected.retryReason]).toEqual([
      undefined,
      'etcd is down',
      undefined,
    ])
    const partly = source(state({ loading: ['b'], stale: { b: stale.a } }), ['a', 'b'])
    expect([partly.rows, partly.missing.map(({ isRetrying }) => isRetrying)]).toEqual([[row], [undefined]])
    const notServed = source(state({ ...none, loading: ['a'], stale: { a: { ...stale.a, rejectedWith: 404 } } }))
    expect(isNotFound(notServed.error)).toBe(true)
  })

  it('does not say that there is nothing once the cluster has rejected an empty list', () => {
    const stale = { a: { sinceMs: 1, why: 'etcd is down', rejectedWith: 422 } }
    expect(source(state({ ...none, stale })).error?.message).toBe('etcd is down')
    expect(source(state({ ...none, stale: { a: { sinceMs: 1, why: 'It is down.' } } })).error).toBeNull()
    expect(source(state({ stale })).error).toBeNull()
  })

  it('keeps its rows while the connection is lost', () => {
    expect(source(state({}, { lost }))).toMatchObject({ rows: [row], error: null })
  })

  it('has failed if its query was rejected', () => {
    expect(source(state({ rejected: 'sort must be a field.' })).error?.message).toBe('sort must be a field.')
  })
})

describe('the badge of a view', () => {
  test.each<[string, ViewState, object]>([
    ['is live while connected', state({}), { connection: 'open', asOf: 100 }],
    ['is connecting before the first window', initialViewState, { connection: 'init' }],
    ['is as old as the connection', state({}, { lost }), { connection: 'closed', asOf: 5, reason: lost.why }],
    [
      'is as old as its oldest list',
      state({ stale: { a: { sinceMs: 9, why: 'late' }, b: { sinceMs: 3, why: 'down' } } }),
      { connection: 'error', asOf: 3, reason: 'down' },
    ],
    [
      'is polled if all of its lists are',
      state({ stale: { a: { sinceMs: 9, why: 'many', isPolled: true } } }),
      { connection: 'error', asOf: 9, isPolling: true },
    ],
    [
      'is live while a list is missing that was never read',
      state({ loading: ['b'], stale: { b: { sinceMs: 3, why: 'down' } } }),
      { connection: 'open', asOf: 100 },
    ],
    [
      'says what is wrong if no list was ever read',
      state({ ...none, loading: ['a'], stale: { a: { sinceMs: 3, why: 'down' } } }),
      { connection: 'error', asOf: 3, reason: 'down' },
    ],
  ])('%s', (_, of, expected) => {
    expect(liveStateOfView(of, 100)).toMatchObject(expected)
  })
})
