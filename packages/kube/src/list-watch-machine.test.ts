import fc from 'fast-check'
import { expect, it } from 'vitest'
import { advance, startMachine, type Machine, type MachineEvent } from './list-watch-machine'
import { ApiError } from './status'

const second = 1_000
const listed = (resourceVersion = '7'): MachineEvent => ({ type: 'listed', metadata: { resourceVersion } })
const listFailed = (code: number, retryAfter?: string): MachineEvent => ({
  type: 'listFailed',
  error: new ApiError({ code, message: `${code}`, url: '/', retryAfter }),
})
const lost: MachineEvent = { type: 'lost', isAbnormal: true }
const ended: MachineEvent = { type: 'lost', isAbnormal: false }
const its = (type: 'opened' | 'heartbeat' | 'flushed' | 'timeout' | 'refresh' | 'wake' | 'close'): MachineEvent => ({
  type,
})

/** Events with the seconds after the start at which they happen. */
type Story = [atSeconds: number, MachineEvent][]

const after = (story: Story, initial?: Parameters<typeof startMachine>[0]): Machine =>
  story.reduce((machine, [at, event]) => advance(machine, event, at * second, 0), startMachine(initial, 0))

const opening: Story = [
  [1, listed()],
  [2, its('opened')],
]

/** The step and its end, in seconds, and what is shown. */
it.each<[name: string, Story, step: string, untilSeconds: number | undefined, shown: object]>([
  ['starts with a list, for at most a minute', [], 'listing', 60, { connection: 'init', isPolling: false }],
  ['connects after the list, for at most 5 s', opening.slice(0, 1), 'connecting', 6, { asOf: 1 * second }],
  ['is open, and checked every 30 s', opening, 'open', 32, { connection: 'open' }],
  ['is checked every 3 s once there was a heartbeat', [...opening, [4, its('heartbeat')]], 'open', 7, {}],
  [
    'is not checked sooner by later heartbeats',
    [...opening, [4, its('heartbeat')], [5, its('heartbeat')]],
    'open',
    7,
    {},
  ],
  ['stays open if something was heard', [...opening, [31, { type: 'received' }], [32, its('timeout')]], 'open', 62, {}],
  [
    'lists after 150 s of silence',
    [...opening, [62, its('timeout')], [152.1, its('timeout')]],
    'listing',
    212.1,
    { connection: 'closed', reason: 'The live connection was lost.', asOf: 2 * second },
  ],
  [
    'lists after 12 s without a heartbeat',
    [...opening, [3, its('heartbeat')], [15.1, its('timeout')]],
    'listing',
    75.1,
    { asOf: 3 * second },
  ],
  [
    'lists after sleeping, though it heard something',
    [...opening, [123, { type: 'received' }], [123, its('timeout')]],
    'listing',
    183,
    {},
  ],
  [
    'waits 2 s after an abnormal end',
    [...opening, [3, lost]],
    'waiting',
    5,
    { connection: 'error', retryAtMs: 5 * second },
  ],
  ['waits 1 s after a regular end', [...opening, [3, ended]], 'waiting', 4, { connection: 'closed', isPolling: false }],
  ['lists before it connects again', [...opening, [3, ended], [4, its('timeout')]], 'listing', 64, {}],
  [
    'counts a handshake without a response as an abnormal end',
    [
      [1, listed()],
      [6, its('timeout')],
    ],
    'waiting',
    8,
    { connection: 'error' },
  ],
  [
    'gives the next handshake 10 s',
    [
      [1, listed()],
      [6, its('timeout')],
      [8, its('timeout')],
      [8, listed()],
    ],
    'connecting',
    18,
    {},
  ],
  ['waits 10 s after a failed list', [[2, listFailed(500)]], 'waiting', 3, { connection: 'error', reason: '500' }],
  ['waits a minute after a rejected list', [[2, listFailed(403)]], 'waiting', 62, { retryAtMs: 62 * second }],
  ['lists again soon if the version is too old', [[2, listFailed(410)]], 'waiting', 3, {}],
  ['waits as long as the server asks for', [[2, listFailed(429, '30')]], 'waiting', 32, {}],
  [
    'doubles the limit of the list after one did not arrive',
    [
      [60, its('timeout')],
      [61, its('timeout')],
    ],
    'listing',
    181,
    {},
  ],
  ['ignores a refresh while it lists', [[5, its('refresh')]], 'listing', 60, {}],
  ['lists at once when asked to', [...opening, [5, its('refresh')]], 'listing', 65, { connection: 'closed' }],
  ['does nothing on waking if it heard something within 10 s', [...opening, [11, its('wake')]], 'open', 32, {}],
  ['lists on waking after 10 s of silence', [...opening, [12, its('wake')]], 'listing', 72, {}],
  [
    'keeps the watch if it is given the list it started from',
    [...opening, [3, { type: 'adopted', metadata: { resourceVersion: '7' } }]],
    'open',
    32,
    {},
  ],
  [
    'starts a new watch from any other list',
    [...opening, [3, { type: 'adopted', metadata: { resourceVersion: '9' } }]],
    'connecting',
    8,
    {},
  ],
  [
    'resumes from a version that is known to be shown',
    [...opening, [3, ended], [3, { type: 'resumed', resourceVersion: '9' }]],
    'connecting',
    8,
    {},
  ],
  [
    'does not resume a watch that is open',
    [...opening, [3, { type: 'resumed', resourceVersion: '9' }]],
    'open',
    32,
    {},
  ],
  [
    'is destroyed for good',
    [...opening, [3, its('close')], [4, listed()], [5, its('wake')]],
    'destroyed',
    undefined,
    { connection: 'destroyed' },
  ],
])('%s', (_, story, name, untilSeconds, shown) => {
  const machine = after(story)
  expect(machine.step).toMatchObject({ name })
  expect(machine.step.untilMs).toBe(untilSeconds === undefined ? undefined : untilSeconds * second)
  expect(machine.shown).toMatchObject(shown)
})

it('polls every 10 s after the fourth abnormal end, and then watches from the polled version', () => {
  const fail: Story = [1, 2, 3, 4, 5].flatMap((n): Story => [
    [n * 100, its('timeout')],
    [n * 100, listed()],
    [n * 100, lost],
  ])
  const given = after([[0, listed()], ...fail])
  expect(given.shown).toMatchObject({ isPolling: true, reason: 'WebSocket connection failed after multiple attempts' })
  expect(given.from).toEqual({ resourceVersion: '7' })
})

it('watches at once from a list that is already shown', () => {
  const machine = after([], { resourceVersion: '3', asOf: -5 })
  expect([machine.step.name, machine.from?.resourceVersion, machine.shown.asOf]).toEqual(['connecting', '3', -5])
})

const anyEvent: fc.Arbitrary<MachineEvent> = fc.oneof(
  fc.constantFrom(...(['opened', 'heartbeat', 'flushed', 'timeout', 'refresh', 'wake'] as const).map(its)),
  fc.constantFrom(listed(), listed('8'), listFailed(500), listFailed(403), listFailed(410), lost, ended),
  fc.constantFrom<MachineEvent>(
    { type: 'interrupted', reason: 'gone' },
    { type: 'received', resourceVersion: '9' },
    { type: 'adopted', metadata: { resourceVersion: '8' } },
    { type: 'resumed', resourceVersion: '8' },
  ),
)

it('never waits more than a minute, connects only from a known version, and changes nothing in place', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(100_000), anyEvent, fc.double({ min: 0, max: 0.99, noNaN: true }))),
      (steps) => {
        let nowMs = 0
        let machine = Object.freeze(startMachine(undefined, nowMs))
        for (const [ms, event, random] of steps) {
          // Whatever happens, a step that is over has ended.
          nowMs += ms
          machine = Object.freeze(advance(machine, event, nowMs, random))
          const { step, shown, from } = machine
          Object.freeze(shown)
          if (step.name === 'waiting') expect(step.untilMs).toBeLessThanOrEqual(nowMs + 60_000)
          if (step.name === 'connecting') expect(from).toBeDefined()
          if (shown.connection === 'open') expect(shown).toMatchObject({ reason: undefined, isPolling: false })
        }
      },
    ),
  )
})
