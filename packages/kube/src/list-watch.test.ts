import fc from 'fast-check'
import { expect, it } from 'vitest'
import { listWatch, type WatchHandlers } from './list-watch'
import { connectionFailedMessage, type ListWatchState } from './list-watch-machine'
import type { KubeList, KubeObject } from './object'
import { ApiError } from './status'
import { manualClock, settled } from './testing'
import { applyWatchEvents, type WatchEvent } from './watch-event'

const anObject = (name: string, resourceVersion: string, uid = name): KubeObject => ({
  metadata: { name, uid, resourceVersion },
})

/** A server with one list, whose sockets and failures the test controls. */
function scene({
  random,
  initial,
  failure,
  postponeMs,
  flushMs,
}: {
  random?: () => number
  initial?: { resourceVersion: string; asOf: number }
  failure?: unknown
  postponeMs?: () => number
  flushMs?: number
} = {}) {
  const clock = manualClock()
  const startMs = clock.now()
  let version = 1
  const objects = new Map<string, KubeObject>()
  const history: { version: number; event: WatchEvent }[] = []
  const sockets: (WatchHandlers & { from?: string; isClosed: boolean })[] = []
  const lists: { atMs: number; signal: AbortSignal }[] = []
  const states: ListWatchState[] = []
  const flushes: WatchEvent[][] = []
  const warnings: string[] = []
  let shown: KubeList | undefined
  let listError: Error | undefined
  let eventError: Error | undefined
  let heldLists: (() => void)[] | undefined
  let reaction: (() => void) | undefined
  const answer = (): KubeList => ({ metadata: { resourceVersion: String(version) }, items: [...objects.values()] })
  const watch = listWatch({
    clock,
    random,
    initial,
    postponeMs,
    flushMs,
    list: async (signal) => {
      lists.push({ atMs: clock.now() - startMs, signal })
      const now = answer()
      const failing = failure
      if (heldLists) await new Promise<void>((go) => heldLists?.push(go))
      if (failing) throw failing
      return now
    },
    openWatch(from, handlers) {
      const socket = { ...handlers, from, isClosed: false }
      sockets.push(socket)
      return { close: () => void (socket.isClosed = true) }
    },
    onList(list) {
      if (listError) throw listError
      shown = list
    },
    onEvents(events) {
      if (eventError) throw eventError
      flushes.push(events)
      shown = applyWatchEvents(shown ?? { metadata: {}, items: [] }, events)
    },
    onState(state) {
      states.push(state)
      const act = reaction
      reaction = undefined
      act?.()
    },
    warn: (message) => warnings.push(message),
  })
  const socket = () => sockets.at(-1) ?? expect.fail('no socket was opened')
  return {
    clock,
    watch,
    sockets,
    lists,
    states,
    flushes,
    warnings,
    socket,
    sinceStart: () => clock.now() - startMs,
    state: () => states.at(-1),
    names: () => shown?.items.map((item) => item.metadata.name),
    shown: () => shown,
    answer,
    history,
    onNextState: (act: () => void) => (reaction = act),
    fail: (error: unknown) => (failure = error),
    hold: () => (heldLists = []),
    /** What the consumer of the list throws from now on. */
    failLists: (error: Error | undefined) => (listError = error),
    failEvents: (error: Error | undefined) => (eventError = error),
    release() {
      for (const go of heldLists ?? []) go()
      heldLists = undefined
    },
    /** Changes the server's list and, unless `silent`, sends the event to the open socket. */
    write(type: 'ADDED' | 'MODIFIED' | 'DELETED', name: string, { silent = false, uid = name } = {}) {
      const object = anObject(name, String(++version), uid)
      if (type === 'DELETED') objects.delete(name)
      else objects.set(name, object)
      const event: WatchEvent = { type, object }
      history.push({ version, event })
      if (!silent) socket().onMessage(JSON.stringify(event))
    },
    async open() {
      await settled()
      socket().onOpen()
    },
    /** Advances time until there is a new connection. */
    async reconnect() {
      const known = sockets.length
      for (let waitedMs = 0; sockets.length === known; waitedMs++) {
        if (waitedMs > 120_000) expect.fail('There was no new connection within two minutes.')
        await clock.advance(1)
      }
    },
  }
}

const networkFailure = new ApiError({ code: 0, message: 'Call to /x failed: network failure', url: '/x' })

it('LIVE-03, LIVE-05 lists, then watches from the version of the list', async () => {
  const s = scene()
  expect(s.lists).toHaveLength(1)
  expect(s.sockets).toHaveLength(0)
  await settled()
  expect(s.socket().from).toBe('1')
  expect(s.state()?.connection).toBe('init')
  s.socket().onOpen()
  expect(s.state()).toEqual({ connection: 'open', asOf: s.clock.now(), isPolling: false })
})

it('watches immediately when the list is already known', () => {
  const s = scene({ initial: { resourceVersion: '7', asOf: 5 } })
  expect(s.lists).toHaveLength(0)
  expect(s.socket().from).toBe('7')
})

it('LIVE-20 flushes received events in order after 500 ms', async () => {
  const s = scene()
  await s.open()
  s.write('ADDED', 'a')
  await s.clock.advance(300)
  s.write('ADDED', 'b')
  await s.clock.advance(199)
  expect(s.flushes).toHaveLength(0)
  await s.clock.advance(1)
  expect(s.flushes.map((events) => events.length)).toEqual([2])
  expect(s.names()).toEqual(['a', 'b'])
  s.write('MODIFIED', 'a')
  await s.clock.advance(500)
  expect(s.flushes).toHaveLength(2)
})

it('LIVE-21 flushes early at 1000 messages', async () => {
  const s = scene()
  await s.open()
  for (let n = 0; n < 1_000; n++) s.write('ADDED', `o${n}`)
  expect(s.flushes.map((events) => events.length)).toEqual([1_000])
  await s.clock.advance(300)
  s.write('ADDED', 'last')
  await s.clock.advance(499)
  expect(s.flushes).toHaveLength(1)
  await s.clock.advance(1)
  expect(s.names()).toHaveLength(1_001)
})

it('LIVE-19 ignores an unknown event with a warning', async () => {
  const s = scene()
  await s.open()
  s.socket().onMessage('{"type":"RENAMED","object":{"metadata":{}}}')
  await s.clock.advance(500)
  expect(s.flushes).toHaveLength(0)
  expect(s.warnings).toEqual(['Unknown watch event RENAMED was ignored.'])
  expect(s.state()?.connection).toBe('open')
})

it.each(['no json', 'null', '{"object":{}}', '{"type":"ADDED"}', '{"type":"ADDED","object":{}}', '{"type":"ERROR"}'])(
  'lists again after the unreadable frame %s',
  async (frame) => {
    const s = scene()
    await s.open()
    s.socket().onMessage(frame)
    expect(s.socket().isClosed).toBe(true)
    expect(s.warnings).toHaveLength(1)
    await s.clock.advance(1_000)
    expect(s.lists).toHaveLength(2)
  },
)

it('a bookmark changes only the version', async () => {
  const s = scene()
  await s.open()
  s.write('ADDED', 'a')
  s.socket().onMessage('{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"40"}}}')
  await s.clock.advance(500)
  expect(s.names()).toEqual(['a'])
  expect(s.shown()?.metadata.resourceVersion).toBe('40')
})

/** Closes the connection and every retry with 1006 for 65 s. Returns the delays of the retries. */
async function failRepeatedly(s: ReturnType<typeof scene>): Promise<number[]> {
  const attempts: number[] = []
  let known = s.sockets.length
  let cutAt = s.sinceStart()
  const failed = () => s.states.some(({ reason }) => reason === connectionFailedMessage)
  s.socket().onClose(1006)
  expect(s.state()).toMatchObject({ connection: 'error', isPolling: false, reason: 'The live connection was lost.' })
  for (let second = 0; second < 130; second++) {
    await s.clock.advance(500)
    if (s.sockets.length === known) continue
    known = s.sockets.length
    attempts.push(s.sinceStart() - cutAt)
    expect(failed()).toBe(attempts.length > 3)
    cutAt = s.sinceStart()
    s.socket().onClose(1006)
  }
  return attempts
}

it('LIVE-06, LIVE-07, LIVE-08 after close 1006 retries in 2, 4 and 8 s, then reports the failure and keeps retrying', async () => {
  const s = scene()
  await s.open()
  const attempts = await failRepeatedly(s)
  expect(attempts.slice(0, 5)).toEqual([2_000, 4_000, 8_000, 1_000, 1_500])
  expect(s.state()).toMatchObject({ connection: 'error', reason: connectionFailedMessage })
})

it('LIVE-10, CALL-36 after close 1006 and three failed retries polls every 10 s', async () => {
  const s = scene()
  await s.open()
  await failRepeatedly(s)
  expect(s.state()?.isPolling).toBe(true)
  const gaps = s.lists.map(({ atMs }, index) => atMs - (s.lists[index - 1]?.atMs ?? 0)).slice(-4)
  expect(gaps).toEqual([10_000, 10_000, 10_000, 10_000])
})

it('LIVE-11, LIVE-12, LIVE-13, LIVE-14 after any other close waits 1 s, then 1.5 times as long each time, up to 60 s', async () => {
  const s = scene()
  await s.open()
  const delays: number[] = []
  for (let attempt = 0; attempt < 14; attempt++) {
    const cutAt = s.clock.now()
    s.socket().onClose(1001)
    expect(s.state()?.connection).toBe('closed')
    await s.reconnect()
    delays.push(s.clock.now() - cutAt)
  }
  const expected = Array.from({ length: 14 }, (_, n) => Math.min(1_000 * 1.5 ** n, 60_000))
  for (const [n, delay] of delays.entries()) expect(delay).toBeCloseTo(expected[n] ?? 0, -1)
})

it('spreads reconnects over a tenth of the delay', async () => {
  const s = scene({ random: () => 0.5 })
  await s.open()
  s.socket().onClose(1001)
  await s.clock.advance(1_049)
  expect(s.lists).toHaveLength(1)
  await s.clock.advance(1)
  expect(s.lists).toHaveLength(2)
})

it('LIVE-14 waits no longer than 60 s, however the reconnects are spread', async () => {
  const s = scene({ random: () => 0.999 })
  await s.open()
  for (let attempt = 0; attempt < 14; attempt++) {
    const cutAt = s.clock.now()
    s.socket().onClose(1001)
    await s.reconnect()
    expect(s.clock.now() - cutAt).toBeLessThanOrEqual(60_000)
  }
})

it('LIVE-15 a restored connection ends polling, resets the back-off and clears the message', async () => {
  const s = scene()
  await s.open()
  for (const delay of [2_000, 4_000, 8_000, 1_000, 1_500]) {
    s.socket().onClose(1006)
    await s.clock.advance(delay)
  }
  expect(s.state()).toMatchObject({ isPolling: true, reason: connectionFailedMessage })
  s.socket().onOpen()
  expect(s.state()).toMatchObject({ connection: 'open', isPolling: false, reason: undefined, retryAtMs: undefined })
  const lists = s.lists.length
  await s.clock.advance(60_000)
  expect(s.lists).toHaveLength(lists)
  s.socket().onClose(1001)
  await s.clock.advance(1_000)
  expect(s.lists).toHaveLength(lists + 1)
  s.socket().onClose(1006)
  expect(s.state()).toMatchObject({ isPolling: false, retryAtMs: s.clock.now() + 2_000 })
})

it('a connection that is cut immediately does not count as restored', async () => {
  const s = scene()
  await s.open()
  for (let minute = 0; minute < 10; minute++) {
    for (let second = 0; second < 60; second++) {
      if (!s.socket().isClosed && s.states.at(-1)?.connection !== 'open') s.socket().onOpen()
      s.socket().onClose(1006)
      await s.clock.advance(1_000)
    }
  }
  const lastMinute = s.lists.filter(({ atMs }) => atMs > 540_000)
  expect(lastMinute.length).toBeLessThanOrEqual(6)
})

it('a connection counts as restored after 10 s', async () => {
  const s = scene()
  await s.open()
  const liveFor = async (ms: number) => {
    await s.clock.advance(ms)
    s.socket().onClose(1001)
    const cutAtMs = s.clock.now()
    await s.reconnect()
    s.socket().onOpen()
    return s.clock.now() - cutAtMs
  }
  expect([await liveFor(9_999), await liveFor(9_999), await liveFor(10_000)]).toEqual([1_000, 1_500, 1_000])
})

it('LIVE-22 starts with the shortest delay after a gap in a stable connection', async () => {
  const s = scene()
  await s.open()
  for (const delay of [1_000, 1_500, 2_250]) {
    s.socket().onClose(1001)
    await s.clock.advance(delay)
  }
  s.socket().onOpen()
  await s.clock.advance(10_000)
  const lists = s.lists.length
  s.socket().onMessage('{"type":"ERROR","object":{"kind":"Status","code":410}}')
  await s.clock.advance(1_000)
  expect(s.lists).toHaveLength(lists + 1)
})

it('LIVE-22 an expired list is not a permanent error and is retried soon', async () => {
  const s = scene({ failure: new ApiError({ code: 410, reason: 'Expired', message: 'too old', url: '/x' }) })
  await s.clock.advance(1_000)
  expect(s.lists).toHaveLength(2)
})

it.each([
  ['{"kind":"Status","code":410,"message":"too old resource version: 1 (7)"}', 'The live connection was lost.'],
  ['{"kind":"Status","reason":"Expired","message":"too old resource version"}', 'The live connection was lost.'],
  ['{"kind":"Status","code":500,"message":"etcd is slow"}', 'etcd is slow'],
])('the error event %s gives a human-readable reason for the gap', async (status, reason) => {
  const s = scene()
  await s.open()
  s.socket().onMessage(`{"type":"ERROR","object":${status}}`)
  expect(s.state()).toMatchObject({ connection: 'closed', reason })
})

it('LIVE-10 keeps polling, and reporting so, while connections keep ending', async () => {
  const s = scene()
  await s.open()
  // Delays of more than 10 s, during which it polls.
  for (let attempt = 0; attempt < 8; attempt++) {
    s.socket().onClose(1001)
    await s.reconnect()
  }
  expect(s.state()?.isPolling).toBe(true)
  const before = s.states.length
  s.socket().onClose(1001)
  await s.clock.advance(60_000)
  expect(s.states.slice(before).every(({ isPolling }) => isPolling)).toBe(true)
})

it('postpones background work for as long as postponeMs returns', async () => {
  let waitMs = 0
  const s = scene({ postponeMs: () => waitMs })
  await s.open()
  waitMs = 30_000
  s.socket().onClose(1001)
  await s.clock.advance(1_000)
  waitMs = 5_000
  await s.clock.advance(30_000)
  waitMs = 0
  await s.clock.advance(4_999)
  expect(s.lists).toHaveLength(1)
  await s.clock.advance(1)
  expect(s.lists).toHaveLength(2)
})

it.each([
  [
    '410 in an event',
    (s: ReturnType<typeof scene>) =>
      s.socket().onMessage('{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}}'),
  ],
  [
    'another error event',
    (s: ReturnType<typeof scene>) =>
      s.socket().onMessage('{"type":"ERROR","object":{"kind":"Status","code":500,"message":"etcd is slow"}}'),
  ],
  ['close 1000', (s: ReturnType<typeof scene>) => s.socket().onClose(1000)],
  ['close 1006', (s: ReturnType<typeof scene>) => s.socket().onClose(1006)],
  ['close without a code', (s: ReturnType<typeof scene>) => s.socket().onClose()],
])('LIVE-22 lists again and replaces all objects after %s', async (_, cut) => {
  const s = scene()
  await s.open()
  s.write('ADDED', 'old')
  cut(s)
  expect(s.names()).toEqual(['old'])
  s.write('DELETED', 'old', { silent: true })
  s.write('ADDED', 'new', { silent: true })
  await s.clock.advance(2_000)
  expect(s.names()).toEqual(['new'])
  expect(s.socket().from).toBe('4')
  s.socket().onOpen()
  expect(s.state()?.connection).toBe('open')
})

it('dates the data from the last event received, and reports that once', async () => {
  const s = scene({ flushMs: 0 })
  await s.open()
  const states = s.states.length
  s.write('ADDED', 'a')
  expect(s.flushes).toHaveLength(1)
  expect(s.states).toHaveLength(states)
  await s.clock.advance(7_000)
  s.write('ADDED', 'b')
  expect(s.state()?.asOf).toBe(s.clock.now())
})

it('dates the data from the event, not from its flush', async () => {
  const s = scene()
  await s.open()
  await s.clock.advance(7_000)
  const eventAtMs = s.clock.now()
  s.write('ADDED', 'a')
  await s.clock.advance(500)
  expect(s.state()?.asOf).toBe(eventAtMs)
})

it.each([
  ['is closed', 5_000, (s: ReturnType<typeof scene>) => s.socket().onClose(1001)],
  [
    'sends an error event',
    8_000,
    (s: ReturnType<typeof scene>) => s.socket().onMessage('{"type":"ERROR","object":{"kind":"Status","code":500}}'),
  ],
])('a connection that %s dates the data and gives the time of the next attempt', async (_, heardMs, cut) => {
  const s = scene()
  await s.open()
  const openedAtMs = s.clock.now()
  await s.clock.advance(5_000)
  s.socket().onMessage('')
  await s.clock.advance(3_000)
  cut(s)
  expect(s.state()).toMatchObject({ asOf: openedAtMs + heardMs, retryAtMs: s.clock.now() + 1_000 })
})

it('does not report polling when it lists once before reconnecting', async () => {
  const s = scene()
  await s.open()
  await s.clock.advance(20_000)
  s.socket().onMessage('{"type":"ERROR","object":{"kind":"Status","code":410}}')
  await s.clock.advance(999)
  expect(s.lists).toHaveLength(1)
  await s.reconnect()
  s.socket().onOpen()
  expect(s.lists).toHaveLength(2)
  expect(s.states.some(({ isPolling }) => isPolling)).toBe(false)
})

/** The seventh delay is the first that exceeds the polling interval of 10 s. */
async function afterClosing(s: ReturnType<typeof scene>, times: number) {
  for (let time = 0; time < times; time++) {
    s.socket().onClose(1001)
    await s.reconnect()
  }
}

it.each([
  ['a handshake rejected after 4 s', false, 4_000, 6_000],
  ['a connection that lasted 9 s', true, 9_000, 10_000],
])('LIVE-10 polls 10 s after the last sign of the server: %s', async (_, isOpened, passedMs, retryInMs) => {
  const s = scene()
  await s.open()
  await afterClosing(s, 6)
  if (isOpened) s.socket().onOpen()
  await s.clock.advance(passedMs)
  s.socket().onClose(1001)
  expect((s.state()?.retryAtMs ?? 0) - s.clock.now()).toBeCloseTo(retryInMs, -1)
})

it('a poll does not bring the next connection forward, and its failure does not delay it', async () => {
  const s = scene({ failure: networkFailure })
  await settled()
  s.fail(undefined)
  await s.reconnect()
  s.socket().onOpen()
  await s.clock.advance(10_000)
  await afterClosing(s, 6)
  const cutAtMs = s.clock.now()
  await afterClosing(s, 1)
  expect(s.clock.now() - cutAtMs).toBeCloseTo(1_000 * 1.5 ** 6, -1)
  const connectAtMs = s.clock.now() + 1_000 * 1.5 ** 7
  s.socket().onClose(1001)
  s.fail(networkFailure)
  await s.clock.advance(10_000)
  expect(s.state()).toMatchObject({ connection: 'error', isPolling: true, reason: networkFailure.message })
  expect(s.state()?.retryAtMs).toBeCloseTo(connectAtMs, -1)
  s.fail(undefined)
  await s.reconnect()
  expect(s.state()).toMatchObject({ connection: 'error', reason: 'The live connection was lost.' })
})

it('polls again soon after a poll that was slow to fail', async () => {
  const s = scene()
  await s.open()
  await afterClosing(s, 7)
  s.socket().onClose(1001)
  s.hold()
  await s.clock.advance(10_000)
  const { lists } = s
  const atMs = lists.at(-1)?.atMs ?? 0
  await s.clock.advance(atMs + 60_000 - s.sinceStart())
  expect(s.state()).toMatchObject({ connection: 'error', retryAtMs: s.clock.now() + 1_000 })
})

it('a wake right after a poll connects immediately, because a poll is not an attempt to connect', async () => {
  const s = scene()
  await s.open()
  await afterClosing(s, 7)
  s.socket().onClose(1001)
  const polls = s.lists.length
  while (s.lists.length === polls) await s.clock.advance(100)
  s.watch.wake()
  expect(s.lists).toHaveLength(polls + 2)
})

it('a lost connection dates the data from the last message received through it', async () => {
  const s = scene()
  await s.open()
  s.fail(networkFailure)
  s.socket().onMessage('')
  await s.clock.advance(5_000)
  s.socket().onMessage('')
  const lastHeardMs = s.clock.now()
  await s.clock.advance(30_000)
  expect(s.state()).toMatchObject({ connection: 'error', asOf: lastHeardMs })
})

it('a failing list keeps the data and gives the reason, and the watch resumes soon after it works', async () => {
  const s = scene()
  await s.open()
  s.write('ADDED', 'a')
  s.fail(networkFailure)
  s.socket().onClose(1001)
  const asOf = s.state()?.asOf
  await s.clock.advance(90_000)
  expect(s.names()).toEqual(['a'])
  expect(s.state()).toEqual({
    connection: 'error',
    isPolling: true,
    reason: networkFailure.message,
    asOf,
    retryAtMs: expect.closeTo(s.clock.now() + 5_000, -4) as number,
  })
  s.fail(undefined)
  const sockets = s.sockets.length
  const healedAtMs = s.clock.now()
  await s.reconnect()
  expect(s.clock.now() - healedAtMs).toBeLessThanOrEqual(10_000)
  expect(s.sockets.length).toBe(sockets + 1)
  s.socket().onOpen()
  expect(s.state()).toMatchObject({ connection: 'open', reason: undefined })
})

it.each([
  [networkFailure, 6],
  [new ApiError({ code: 500, message: 'broken', url: '/x' }), 6],
  [new ApiError({ code: 429, message: 'slow down', url: '/x' }), 6],
  [new ApiError({ code: 403, message: 'forbidden', url: '/x' }), 1],
  [new ApiError({ code: 401, message: 'Invalid token', url: '/x' }), 1],
])('limits the rate of lists after %s', async (error, perMinute) => {
  const s = scene({ failure: error })
  await s.clock.advance(10 * 60_000)
  expect(s.lists.filter(({ atMs }) => atMs >= 8 * 60_000 && atMs < 9 * 60_000).length).toBeLessThanOrEqual(perMinute)
})

it('waits as long as the server requests', async () => {
  const status = {
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    details: { retryAfterSeconds: 25 },
  } as const
  const s = scene({ failure: new ApiError({ code: 429, message: 'slow down', url: '/x', status }) })
  await s.clock.advance(24_999)
  expect(s.lists).toHaveLength(1)
  await s.clock.advance(1)
  expect(s.lists).toHaveLength(2)
})

it('treats a connection without messages for a long time as dead', async () => {
  const s = scene()
  await s.open()
  await s.clock.advance(150_000)
  expect(s.lists).toHaveLength(1)
  await s.clock.advance(30_000)
  expect(s.lists).toHaveLength(2)
  expect(s.sockets[0]?.isClosed).toBe(true)
})

it('stays connected while bookmarks arrive', async () => {
  const s = scene()
  await s.open()
  for (let minute = 0; minute < 30; minute++) {
    await s.clock.advance(60_000)
    s.socket().onMessage('{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"9"}}}')
  }
  expect(s.lists).toHaveLength(1)
})

it('treats a connection with heartbeats as dead within 15 s of the last heartbeat', async () => {
  const s = scene()
  await s.open()
  for (let beats = 0; beats < 20; beats++) {
    await s.clock.advance(5_000)
    s.socket().onMessage('')
  }
  expect(s.lists).toHaveLength(1)
  expect(s.warnings).toEqual([])
  await s.clock.advance(12_000)
  expect(s.lists).toHaveLength(1)
  await s.clock.advance(3_000)
  expect(s.lists).toHaveLength(2)
  expect(s.sockets[0]?.isClosed).toBe(true)
})

it('expects no heartbeats from a new connection before its first one', async () => {
  const s = scene()
  await s.open()
  s.socket().onMessage('')
  await s.clock.advance(15_000)
  expect(s.sockets).toHaveLength(2)
  s.socket().onOpen()
  await s.clock.advance(100_000)
  expect(s.sockets).toHaveLength(2)
})

it('does not mistake the late timer of a hidden tab for sleep', async () => {
  const s = scene()
  await s.open()
  await s.clock.advance(1_000)
  s.clock.jump(119_000)
  await s.clock.advance(0)
  expect(s.lists).toHaveLength(1)
})

it('lists again after sleep', async () => {
  const s = scene()
  await s.open()
  await s.clock.advance(1_000)
  s.clock.jump(130_000)
  s.write('ADDED', 'meanwhile', { silent: true })
  await s.clock.advance(0)
  expect(s.names()).toEqual(['meanwhile'])
})

it('a wake lists again only after 10 s without messages', async () => {
  const s = scene()
  await s.open()
  await s.clock.advance(9_999)
  s.watch.wake()
  expect(s.lists).toHaveLength(1)
  await s.clock.advance(1)
  s.watch.wake()
  expect(s.lists).toHaveLength(2)
  expect(s.state()?.connection).toBe('closed')
  s.watch.wake()
  expect(s.lists).toHaveLength(2)
})

it('a wake does not wait for the back-off, but cannot flood the server', async () => {
  const s = scene()
  s.fail(networkFailure)
  await s.clock.advance(30_000)
  const lists = s.lists.length
  for (let n = 0; n < 100; n++) {
    s.watch.wake()
    await settled()
  }
  expect(s.lists.length - lists).toBe(1)
})

it('a wake during a poll connects as soon as the poll completes', async () => {
  const s = scene()
  await s.open()
  for (const delay of [2_000, 4_000, 8_000, 1_000, 1_500, 2_250, 3_375, 5_063, 7_595, 11_391]) {
    s.socket().onClose(1006)
    await s.clock.advance(delay)
  }
  const sockets = s.sockets.length
  s.socket().onClose(1006)
  s.hold()
  await s.clock.advance(10_000)
  s.watch.wake()
  expect(s.sockets).toHaveLength(sockets)
  s.release()
  await settled()
  expect(s.sockets).toHaveLength(sockets + 1)
})

it('wakes cannot flood a server that ends every connection', async () => {
  const s = scene({ initial: { resourceVersion: '7', asOf: 5 } })
  s.socket().onClose(1006)
  await s.clock.advance(999)
  s.watch.wake()
  expect(s.lists).toHaveLength(0)
  await s.clock.advance(1)
  s.watch.wake()
  expect(s.lists).toHaveLength(1)
})

it('abandons a list that never settles and doubles the limit each time, so that a slow list still arrives', async () => {
  const s = scene()
  await s.open()
  s.hold()
  s.watch.refresh()
  const isAborted = () => s.lists.at(-1)?.signal.aborted
  await s.clock.advance(59_999)
  expect(isAborted()).toBe(false)
  await s.clock.advance(1)
  expect(isAborted()).toBe(true)
  expect(s.state()).toMatchObject({ connection: 'error', reason: 'The list did not arrive in time.' })
  await s.clock.advance(1_000)
  expect(s.lists).toHaveLength(3)
  await s.clock.advance(100_000)
  expect([s.lists.length, isAborted()]).toEqual([3, false])
  s.release()
  await s.open()
  expect(s.state()?.connection).toBe('open')
  s.hold()
  s.watch.refresh()
  await s.clock.advance(60_000)
  expect(isAborted()).toBe(true)
})

it('doubles the limit of a handshake after one was too slow although the list arrived', async () => {
  const s = scene()
  await settled()
  await s.clock.advance(5_000)
  expect(s.socket().isClosed).toBe(true)
  await s.clock.advance(2_000)
  await s.clock.advance(9_999)
  expect(s.sockets.map(({ isClosed }) => isClosed)).toEqual([true, false])
  s.socket().onOpen()
  expect(s.state()?.connection).toBe('open')
})

it('restores the short handshake limit after a list has failed, because the network was at fault', async () => {
  const s = scene()
  await settled()
  await s.clock.advance(5_000)
  s.fail(networkFailure)
  await s.clock.advance(2_000)
  s.fail(undefined)
  await s.reconnect()
  await s.clock.advance(5_000)
  expect(s.sockets.map(({ isClosed }) => isClosed)).toEqual([true, true])
})

it('lists again with a warning when events cannot be applied', async () => {
  const s = scene()
  await s.open()
  s.failEvents(new Error('the disk is full'))
  s.write('ADDED', 'a')
  await s.clock.advance(500)
  expect(s.warnings).toEqual(['Watch events could not be applied: the disk is full'])
  expect(s.names()).toEqual([])
  await s.clock.advance(1_000)
  expect(s.names()).toEqual(['a'])
})

it('tries again when the consumer fails to apply a list', async () => {
  const s = scene()
  s.failLists(new Error('the disk is full'))
  await settled()
  expect(s.state()).toMatchObject({ connection: 'error', reason: 'the disk is full' })
  s.failLists(undefined)
  await s.clock.advance(1_000)
  expect(s.names()).toEqual([])
})

it('treats a handshake without a response as failed', async () => {
  const s = scene()
  await settled()
  await s.clock.advance(5_000)
  expect(s.socket().isClosed).toBe(true)
  expect(s.state()?.connection).toBe('error')
})

it('treats a socket that cannot be created as failed', async () => {
  const clock = manualClock()
  const states: ListWatchState[] = []
  listWatch({
    clock,
    list: async () => ({ metadata: { resourceVersion: '1' }, items: [] }),
    openWatch: () => {
      throw new Error('no sockets available')
    },
    onEvents: () => {},
    onState: (state) => states.push(state),
    warn: () => {},
  })
  await settled()
  expect(states.at(-1)?.connection).toBe('error')
})

it('closes a socket that ended before it was returned', async () => {
  let closed = 0
  const watch = listWatch({
    clock: manualClock(),
    initial: { asOf: 5 },
    list: () => new Promise<never>(() => {}),
    openWatch(_, { onClose }) {
      onClose(1006)
      return { close: () => void closed++ }
    },
    onEvents: () => {},
  })
  expect(closed).toBe(1)
  watch.close()
})

it('LIVE-05, LIVE-24 close leaves nothing open, sends nothing and ignores late responses', async () => {
  const s = scene()
  await s.open()
  s.write('ADDED', 'a')
  const socket = s.socket()
  s.hold()
  s.watch.refresh()
  s.watch.close()
  expect(s.state()).toMatchObject({ connection: 'destroyed', isPolling: false })
  expect(s.lists.at(-1)?.signal.aborted).toBe(true)
  s.release()
  socket.onMessage('{"type":"ADDED","object":{"metadata":{"uid":"b"}}}')
  socket.onClose(1006)
  s.watch.wake()
  s.watch.refresh()
  s.watch.adopt({ metadata: { resourceVersion: '9' } })
  await s.clock.advance(600_000)
  expect(s.names()).toEqual(['a'])
  expect(s.lists).toHaveLength(2)
  expect(s.sockets).toHaveLength(1)
  expect(s.clock.pending).toBe(0)
})

it('LIVE-24 delivers nothing after close', async () => {
  const s = scene()
  await s.open()
  s.write('ADDED', 'a')
  s.watch.close()
  expect(s.clock.pending).toBe(0)
  await s.clock.advance(500)
  expect(s.flushes).toEqual([])
})

it('a closed watch has neither a reason nor a time of the next attempt', async () => {
  const s = scene({ failure: networkFailure })
  await settled()
  s.watch.close()
  expect(s.state()).toEqual({ connection: 'destroyed', isPolling: false })
})

it('continues from an adopted list without reporting an error', async () => {
  const s = scene()
  await s.open()
  const states = s.states.length
  s.write('ADDED', 'a')
  s.watch.adopt({ metadata: { resourceVersion: '9' } })
  expect(s.sockets[0]?.isClosed).toBe(true)
  expect(s.socket().from).toBe('9')
  s.socket().onOpen()
  await s.clock.advance(1_000)
  expect(s.flushes).toHaveLength(0)
  s.write('ADDED', 'b')
  await s.clock.advance(500)
  expect(s.names()).toEqual(['b'])
  expect(s.states.slice(states).every(({ connection }) => connection === 'open')).toBe(true)
})

it('keeps its connection when an adopted list has a known version', async () => {
  const s = scene()
  await settled()
  s.watch.adopt({ metadata: { resourceVersion: '1' } })
  s.socket().onOpen()
  s.watch.adopt({ metadata: { resourceVersion: '1' } })
  s.write('ADDED', 'a')
  await s.clock.advance(500)
  s.watch.adopt({ metadata: { resourceVersion: '2' } })
  expect(s.sockets).toHaveLength(1)
})

it('an adopted list does not shorten the wait for the next connection, which continues from it', async () => {
  const s = scene()
  await s.open()
  s.socket().onClose(1001)
  s.watch.adopt({ metadata: { resourceVersion: '7' } })
  await s.clock.advance(999)
  expect(s.sockets).toHaveLength(1)
  await s.clock.advance(1)
  expect(s.sockets.map(({ from }) => from)).toEqual(['1', '7'])
  expect(s.lists).toHaveLength(1)
})

it('uses an adopted list instead of its own while it lists', async () => {
  const s = scene()
  s.watch.adopt({ metadata: { resourceVersion: '5' } })
  expect(s.lists[0]?.signal.aborted).toBe(true)
  expect(s.socket().from).toBe('5')
  await settled()
  expect(s.sockets).toHaveLength(1)
})

it('a refresh during a list changes nothing', () => {
  const s = scene()
  s.watch.refresh()
  expect(s.lists.map(({ signal }) => signal.aborted)).toEqual([false])
})

it('ignores the failure of a list and the opening of a connection that it has abandoned', async () => {
  const s = scene()
  await settled()
  s.hold()
  s.fail(networkFailure)
  s.watch.refresh()
  s.watch.adopt({ metadata: { resourceVersion: '5' } })
  s.sockets[0]?.onOpen()
  s.release()
  await settled()
  expect(s.state()?.connection).toBe('init')
  expect(s.sockets.map(({ isClosed }) => isClosed)).toEqual([true, false])
})

it('resumes immediately from a known version, without a list', async () => {
  const s = scene()
  await s.open()
  s.write('ADDED', 'a')
  s.socket().onClose(undefined)
  s.write('ADDED', 'b', { silent: true })
  s.watch.resume('2')
  expect([s.sockets.length, s.socket().from, s.lists.length]).toEqual([2, '2', 1])
  s.socket().onOpen()
  s.watch.resume('1')
  expect(s.sockets).toHaveLength(2)
})

/** A server that replays its history from any version, over sockets that are cut at random. */
it('after any writes and any number of cuts, the list equals the server’s once the network heals', async () => {
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('write' as const), name: fc.constantFrom('a', 'b', 'c', 'd') }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('delete' as const), name: fc.constantFrom('a', 'b', 'c', 'd') }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 20_000 }) }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('cut' as const), code: fc.constantFrom(1000, 1001, 1006, 1011) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('silence' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('break' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('heal' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('adopt' as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('sleep' as const), ms: fc.integer({ min: 1, max: 600_000 }) }),
    },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const clock = manualClock()
      const objects = new Map<string, KubeObject>()
      let history: { version: number; event: WatchEvent }[] = []
      let version = 1
      let oldest = 0
      let lastUid = 0
      let isBroken = false
      let shown: KubeList = { metadata: {}, items: [] }
      let state: ListWatchState | undefined
      const open = new Set<{ handlers: WatchHandlers; isSilent: boolean; isClosed: boolean }>()
      const answer = (): KubeList => ({ metadata: { resourceVersion: String(version) }, items: [...objects.values()] })
      const later = (ms: number) => new Promise<void>((go) => clock.after(ms, go))
      const watch = listWatch({
        clock,
        list: async () => {
          // The response is as old as its latency.
          const now = answer()
          await later(30)
          if (isBroken) throw networkFailure
          return now
        },
        openWatch(from, handlers) {
          const socket = { handlers, isSilent: false, isClosed: false }
          clock.after(20, () => {
            if (socket.isClosed) return
            if (isBroken) return handlers.onClose(1006)
            open.add(socket)
            handlers.onOpen()
            if (Number(from) < oldest) {
              return handlers.onMessage('{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}}')
            }
            for (const past of history) {
              if (past.version > Number(from)) handlers.onMessage(JSON.stringify(past.event))
            }
          })
          return {
            close() {
              socket.isClosed = true
              open.delete(socket)
            },
          }
        },
        onList: (list) => (shown = list),
        onEvents: (events) => (shown = applyWatchEvents(shown, events)),
        onState: (next) => (state = next),
        warn: () => {},
      })
      const tell = (event: WatchEvent) => {
        history.push({ version, event })
        for (const { handlers, isSilent } of [...open]) if (!isSilent) handlers.onMessage(JSON.stringify(event))
      }
      const cut = (code: number) => {
        for (const socket of [...open]) {
          open.delete(socket)
          socket.handlers.onClose(code)
        }
      }
      for (const step of steps) {
        if (step.do === 'write') {
          const known = objects.get(step.name)
          const object = anObject(step.name, String(++version), known?.metadata.uid ?? `uid-${++lastUid}`)
          objects.set(step.name, object)
          tell({ type: known ? 'MODIFIED' : 'ADDED', object })
        } else if (step.do === 'delete') {
          const known = objects.get(step.name)
          if (!known) continue
          objects.delete(step.name)
          tell({ type: 'DELETED', object: { metadata: { ...known.metadata, resourceVersion: String(++version) } } })
        } else if (step.do === 'pass') await clock.advance(step.ms)
        else if (step.do === 'cut') cut(step.code)
        else if (step.do === 'silence') for (const socket of open) socket.isSilent = true
        else if (step.do === 'forget') {
          oldest = version
          history = []
        } else if (step.do === 'break') {
          isBroken = true
          cut(1006)
        } else if (step.do === 'heal') isBroken = false
        else if (step.do === 'sleep') clock.jump(step.ms)
        else if (step.do === 'adopt') {
          shown = answer()
          watch.adopt(shown)
        }
      }
      isBroken = false
      // Healing: at worst a half-open connection must be detected first.
      await clock.advance(250_000)
      const byName = (list: KubeList) =>
        list.items.toSorted((a, b) => (String(a.metadata.name) < String(b.metadata.name) ? -1 : 1))
      expect(byName(shown)).toEqual(byName(answer()))
      expect(state?.connection).toBe('open')
      watch.close()
      expect(open.size).toBe(0)
    }),
    { numRuns: 300 },
  )
})

it('a list that its consumer closes when the connection is lost does nothing more', async () => {
  const { watch, clock, lists, socket, open, onNextState } = scene()
  await open()
  onNextState(() => watch.close())
  socket().onClose(1006)
  await clock.advance(120_000)
  expect([lists.length, clock.pending]).toEqual([1, 0])
})
