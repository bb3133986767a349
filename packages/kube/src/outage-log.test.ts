import { expect, it } from 'vitest'
import type { ListWatchState } from './list-watch-machine'
import { createOutageLog } from './outage-log'
import { manualClock } from './testing'

it('logs an outage of several lists once when it starts and once when the last list is back', async () => {
  const clock = manualClock()
  const lines: string[] = []
  const outages = createOutageLog({ clock, log: (line) => lines.push(line) })
  const lost = (name: string, retryInMs: number, reason = 'The live connection was lost.') =>
    outages.onState(name, { connection: 'error', isPolling: false, reason, retryAtMs: clock.now() + retryInMs })
  const open: ListWatchState = { connection: 'open', isPolling: false }
  for (const name of ['taskruns', 'pods']) outages.onState(name, open)
  lost('taskruns', 2_000)
  lost('pods', 2_000)
  await clock.advance(2_000)
  lost('taskruns', 4_000, 'Call to /x failed: fetch failed')
  outages.onState('pods', open)
  await clock.advance(10_000)
  expect(lines).toEqual(['lost connection to taskruns, retrying in 2 s'])
  outages.onState('taskruns', open)
  lost('pods', 60_000, 'pods is forbidden')
  outages.onState('pods', { connection: 'destroyed', isPolling: false })
  expect(lines.slice(1)).toEqual([
    'connected again after 12 s',
    'lost connection to pods, retrying in 60 s: pods is forbidden',
  ])
  // A list that is closed while lost no longer belongs to an outage.
  lost('taskruns', 2_000)
  expect(lines.slice(3)).toEqual(['lost connection to taskruns, retrying in 2 s'])
})
