import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, test } from 'vitest'
import { namespace, testCluster } from '../../test/cluster'
import { fastClock } from '../../test/fast-clock'
import { startApi } from '../../test/render-route'
import type { Freshness } from '../api/live/freshness'
import { liveStateOf } from '../api/live/live-state'
import { queryClient } from '../api/query-client'
import { applications } from '../resources/applications'
import { FreshnessReporter, FreshnessScope } from './freshness-scope'
import { describePanel, freshnessText, PageFreshness, type Panel, worstOf } from './PageFreshness'

const now = Date.parse('2026-01-31T09:00:00Z')
const before = (seconds: number) => new Date(now - seconds * 1_000)

test.each<[string, Freshness, string]>([
  ['live', { kind: 'live', asOf: before(500) }, 'Live'],
  ['nothing yet', { kind: 'loading' }, 'Connecting'],
  ['no live connection yet', { kind: 'loading', asOf: before(1) }, 'Connecting'],
  ['no response yet', { kind: 'stale', reason: 'The server is not responding.' }, 'No response'],
  ['polling', { kind: 'polling', asOf: before(4) }, 'Updated 4 s ago'],
  ['stale', { kind: 'stale', asOf: before(12), reason: 'lost' }, 'Updated 12 s ago'],
  ['stale for minutes', { kind: 'stale', asOf: before(119) }, 'Updated 1 min ago'],
  ['stale for hours', { kind: 'stale', asOf: before(7_300) }, 'Updated 2 h ago'],
  ['offline', { kind: 'offline', asOf: before(60), since: new Date(2026, 0, 31, 9, 5) }, 'Offline since 9:05 AM'],
  ['read once', { kind: 'static', asOf: before(0) }, 'Updated 0 s ago'],
  ['a clock that runs behind', { kind: 'static', asOf: before(-5) }, 'Updated 0 s ago'],
])('%s', (_, freshness, text) => {
  expect(freshnessText(freshness, now)).toBe(text)
})

const panel = (label: string, freshness: Freshness, more: Partial<Panel> = {}): Panel => ({
  label,
  freshness,
  parts: [],
  isArchived: false,
  missing: [],
  retry: () => undefined,
  ...more,
})
const live = panel('live', { kind: 'live' })
const lost = panel('lost', { kind: 'stale' })

test.each<[string, Panel[], string | undefined]>([
  ['no panels', [], undefined],
  ['a lost table next to a live object', [live, lost], 'lost'],
  ['no network before a lost connection', [lost, panel('offline', { kind: 'offline' })], 'offline'],
  [
    'a missing part',
    [
      panel('loading', { kind: 'loading' }),
      panel('partial', { kind: 'live' }, { missing: [{ name: 'the archive', error: new Error() }] }),
    ],
    'partial',
  ],
  [
    'an archived object next to live task runs',
    [live, panel('archived', { kind: 'static' }, { isArchived: true })],
    'archived',
  ],
])('a page shows the freshness of its worst panel: %s', (_, panels, label) => {
  expect(worstOf(panels)?.label).toBe(label)
})

test.each<[string, Panel, boolean, { text: string; status?: string }]>([
  ['live is grey', live, true, { text: 'Live' }],
  ['a loss that has just occurred is grey', lost, true, { text: 'Connecting' }],
  ['a loss that lasts is amber', lost, false, { text: 'No response', status: 'warning' }],
])('%s', (_, given, isSettling, expected) => {
  const { text, status } = describePanel(given, now, isSettling)
  expect({ text, ...(status && { status }) }).toEqual(expected)
})

it('reconnects immediately when the user refreshes, however long the back-off', async () => {
  const { faults } = await testCluster({ as: 'admin' })
  const clock = fastClock()
  startApi(clock)
  const query = applications.list(namespace)
  function Badge() {
    const { refetch } = useQuery(query)
    return (
      <FreshnessScope>
        <PageFreshness />
        <FreshnessReporter
          label="Applications"
          freshness={[{ name: 'the list', queryKey: query.queryKey }]}
          onRetry={() => void refetch()}
        />
      </FreshnessScope>
    )
  }
  render(<Badge />, {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  })
  await screen.findByRole('button', { name: 'Live' })
  faults.areSocketsBlocked = true
  faults.cutSockets()
  const cached = queryClient.getQueryCache().find({ queryKey: query.queryKey }) ?? expect.fail('nothing is cached')
  await waitFor(() => expect((liveStateOf(cached)?.retryAtMs ?? 0) - clock.now()).toBeGreaterThan(5_000))
  faults.areSocketsBlocked = false
  // No timer runs from now on.
  clock.setSpeed(0.001)
  clock.skip(1_000)
  await userEvent.click(await screen.findByRole('button', { name: /^Updated/ }))
  await userEvent.click(await screen.findByRole('button', { name: 'Refresh' }))
  await waitFor(() => expect(liveStateOf(cached)).toMatchObject({ connection: 'open' }))
})
