import { manualClock } from '@slipway/kube/testing'
import type { Frame, Message, SetFrame, ViewQuery } from '@slipway/views/frame'
import { expect, it } from 'vitest'
import { createViewConnection, type ViewConnection, type ViewHost } from './view-connection'
import type { LinkHandlers, OpenLink } from './view-link'

const query: ViewQuery = { kind: 'things', namespaces: ['a'], limit: 10 }

const frame = (names: string[], facts: Partial<SetFrame> = {}): Frame => ({
  type: 'set',
  id: '1',
  rows: names.map((name) => ({ metadata: { uid: name, name } })),
  total: names.length,
  offset: 0,
  facets: {},
  versions: { a: '7' },
  floors: { a: '5' },
  denied: [],
  unknown: [],
  loading: [],
  stale: {},
  ...facts,
})

function scene({ findService = (): Promise<boolean> => Promise.resolve(true) } = {}) {
  const clock = manualClock()
  const opened: { host: ViewHost; handlers: LinkHandlers; sent: Message[]; isClosed: boolean }[] = []
  const openAs =
    (host: ViewHost): OpenLink =>
    (handlers) => {
      const own = { host, handlers, sent: [] as Message[], isClosed: false }
      opened.push(own)
      return {
        send: (message) => void own.sent.push(message),
        wake() {},
        refresh() {},
        close: () => void (own.isClosed = true),
      }
    }
  const connection = createViewConnection({
    openService: openAs('service'),
    openWorker: openAs('worker'),
    findService,
    clock,
    random: () => 0,
    postponeMs: () => 0,
  })
  const view = connection.open(query, () => {})
  const rows = () => view.state.view.rows.map(({ metadata }) => metadata.name)
  const settle = () => new Promise((resolve) => setTimeout(resolve))
  const at = (index: number) => {
    const link = opened[index]
    if (!link) throw new Error(`No link ${index} was opened.`)
    return link
  }
  /** A link opens and has all rows. */
  const show = (index: number, names: string[]) => {
    at(index).handlers.onOpen()
    at(index).handlers.onFrame(frame(names))
  }
  return { clock, connection, view, rows, opened, at, show, settle }
}

/** A view whose first host has sent the row x. */
async function shownScene(options?: Parameters<typeof scene>[0]) {
  const opened = scene(options)
  await opened.settle()
  opened.show(0, ['x'])
  return opened
}

/** A view that a worker shows, where there is no service yet. */
async function workerScene() {
  let lookups = 0
  let answer = () => Promise.resolve(false)
  const opened = await shownScene({
    findService: () => {
      lookups++
      return answer()
    },
  })
  return {
    ...opened,
    lookups: () => lookups,
    install: () => (answer = () => Promise.resolve(true)),
    breakNetwork: () => (answer = () => Promise.reject(new Error('no network'))),
  }
}

it('a view is opened at the service, and the connection is closed some time after the last view', async () => {
  const { view, rows, at, settle, clock, opened } = scene()
  await settle()
  at(0).handlers.onOpen()
  expect(at(0).sent).toEqual([{ type: 'open', id: '1', query, atLeast: {} }])
  at(0).handlers.onFrame(frame(['x']))
  expect([rows(), view.state.host]).toEqual([['x'], 'service'])
  view.close()
  expect(at(0).sent.at(-1)).toEqual({ type: 'close', id: '1' })
  await clock.advance(4_000)
  expect(at(0).isClosed).toBe(false)
  await clock.advance(2_000)
  expect([at(0).isClosed, opened.length]).toEqual([true, 1])
})

it('where there is no service the worker answers, and no one looks for it while nothing happens', async () => {
  const { view, rows, settle, clock, lookups } = await workerScene()
  await clock.advance(600_000)
  await settle()
  expect([rows(), view.state.host, lookups()]).toEqual([['x'], 'worker', 1])
})

it.each<[string, (connection: ViewConnection) => void]>([
  ['a user comes back', (connection) => connection.wake()],
  ['the network is back', (connection) => connection.refresh()],
  ['another view is opened', (connection) => void connection.open(query, () => {})],
])('a service that was installed since is found when %s, at most once a minute, and no row is lost', async (_, act) => {
  const { view, rows, at, opened, settle, clock, connection, lookups, install } = await workerScene()
  install()
  await clock.advance(59_999)
  act(connection)
  await settle()
  expect([lookups(), opened.length]).toEqual([1, 1])
  await clock.advance(1)
  act(connection)
  act(connection)
  await settle()
  expect([lookups(), at(1).host]).toEqual([2, 'service'])
  at(1).handlers.onOpen()
  expect(at(1).sent[0]).toEqual({ type: 'open', id: '1', query, atLeast: { a: '5' } })
  at(1).handlers.onFrame(frame([], { loading: ['a'] }))
  expect([rows(), view.state.host]).toEqual([['x'], 'worker'])
  at(1).handlers.onFrame(frame(['x', 'y']))
  expect([rows(), view.state.host, view.state.lost]).toEqual([['x', 'y'], 'service', undefined])
})

it('a search for the service that fails, or finds none, leaves the view with the worker', async () => {
  const { rows, settle, clock, connection, lookups, breakNetwork } = await workerScene()
  for (const [number, fail] of [() => {}, breakNetwork].entries()) {
    fail()
    await clock.advance(60_000)
    connection.wake()
    await settle()
    expect([rows(), lookups()]).toEqual([['x'], number + 2])
  }
})

it('after a lost connection the view stays, says since when, and is opened again with the versions that it has shown', async () => {
  const { view, rows, at, settle, clock, connection } = await shownScene()
  connection.requireVersion('things', 'a', '9')
  expect(at(0).sent.at(-1)).toEqual({ type: 'change', id: '1', atLeast: { a: '9' } })
  const lostMs = clock.now()
  at(0).handlers.onClose(1001)
  expect([rows(), view.state.lost?.sinceMs]).toEqual([['x'], lostMs])
  await clock.advance(1_000)
  await settle()
  at(1).handlers.onOpen()
  expect(at(1).sent).toEqual([{ type: 'open', id: '1', query, atLeast: { a: '9' } }])
  // It has not read everything yet.
  at(1).handlers.onFrame(frame([], { loading: ['a'] }))
  expect(rows()).toEqual(['x'])
  at(1).handlers.onFrame(frame(['y']))
  expect([rows(), view.state.lost]).toEqual([['y'], undefined])
})

it('the worker takes over when the service stays away, and gives the view back', async () => {
  const { view, rows, at, settle, clock, show } = await shownScene()
  at(0).handlers.onClose(1001)
  await clock.advance(1_000)
  await settle()
  at(1).handlers.onClose(1011)
  expect(at(2).host).toBe('worker')
  show(2, ['y'])
  expect([rows(), view.state.host, view.state.lost]).toEqual([['y'], 'worker', undefined])
  await clock.advance(1_500)
  await settle()
  expect(at(3).host).toBe('service')
  at(3).handlers.onOpen()
  at(3).handlers.onFrame(frame([], { unknown: ['a'] }))
  expect([rows(), view.state.host]).toEqual([['y'], 'worker'])
  at(3).handlers.onFrame(frame(['z']))
  expect([rows(), view.state.host, at(2).isClosed]).toEqual([['z'], 'service', true])
})

it('the worker takes over from a service that has lost its own access, and only what the service cannot show', async () => {
  const { view, rows, at, settle, clock, connection, opened, show } = scene()
  await settle()
  const healthy = connection.open({ ...query, kind: 'others' }, () => {})
  show(0, ['x'])
  at(0).handlers.onFrame({ ...frame(['h']), id: '2' })
  at(0).handlers.onFrame(frame(['x'], { stale: { a: { sinceMs: 1, why: 'It is down.' } } }))
  await clock.advance(4_999)
  expect(opened).toHaveLength(1)
  await clock.advance(1)
  at(1).handlers.onOpen()
  expect(at(1).sent.map(({ id }) => id)).toEqual(['1'])
  at(1).handlers.onFrame(frame(['y']))
  expect([rows(), view.state.host, healthy.state.host]).toEqual([['y'], 'worker', 'service'])
  at(0).handlers.onFrame(frame(['z']))
  expect([rows(), view.state.host, at(1).isClosed]).toEqual([['z'], 'service', true])
})

it('the worker takes over from a service that was restarted and cannot read any more, until it can', async () => {
  const { view, rows, at, settle, clock, opened } = scene()
  await settle()
  at(0).handlers.onOpen()
  at(0).handlers.onFrame(frame(['x']))
  at(0).handlers.onClose(1006)
  await clock.advance(2_000)
  await settle()
  at(1).handlers.onOpen()
  const rejected = { a: { sinceMs: 1, why: 'The account of the service cannot list things.', rejectedWith: 403 } }
  at(1).handlers.onFrame(frame([], { loading: ['a'], stale: rejected }))
  expect(rows()).toEqual(['x'])
  await clock.advance(4_999)
  expect(opened).toHaveLength(2)
  await clock.advance(1)
  expect(at(2).host).toBe('worker')
  at(2).handlers.onOpen()
  at(2).handlers.onFrame(frame(['y']))
  expect([rows(), view.state.host, view.state.lost]).toEqual([['y'], 'worker', undefined])
  at(1).handlers.onFrame(frame(['z']))
  expect([rows(), view.state.host, at(2).isClosed]).toEqual([['z'], 'service', true])
})

it('an abnormal end is retried after 2, 4 and 8 s, then says that it failed and waits 1 s, 1.5 times as long each time', async () => {
  const { view, opened, settle, clock, at } = scene()
  await settle()
  for (const [index, waitMs] of [2_000, 4_000, 8_000, 1_000, 1_500, 2_250].entries()) {
    const link = opened.findLast(({ host }) => host === 'service')
    link?.handlers.onClose(1006)
    const before = opened.length
    await clock.advance(waitMs - 1)
    await settle()
    expect(opened).toHaveLength(before)
    await clock.advance(1)
    await settle()
    expect(opened).toHaveLength(before + 1)
    expect(view.state.lost?.why).toBe(
      index < 3 ? 'The live connection was lost.' : 'WebSocket connection failed after multiple attempts',
    )
  }
  expect(at(1).host).toBe('worker')
})

it('a service that was found is opened again at once, although nothing answers whether it is still there', async () => {
  let lookups = 0
  const { view, rows, at, settle, clock } = await shownScene({
    findService: () => (lookups++ === 0 ? Promise.resolve(true) : new Promise<boolean>(() => {})),
  })
  at(0).handlers.onClose(1006)
  await clock.advance(2_000)
  // The network swallows everything.
  at(1).handlers.onClose(1006)
  await settle()
  expect([at(1).host, lookups]).toEqual(['service', 2])
  await clock.advance(4_000)
  const again = at(3)
  expect([at(2).host, again.host]).toEqual(['worker', 'service'])
  again.handlers.onOpen()
  again.handlers.onFrame(frame(['y']))
  expect([rows(), view.state.host, view.state.lost]).toEqual([['y'], 'service', undefined])
})

it('the worker answers if nothing says within five seconds whether there is a service', async () => {
  let answer = (_: boolean) => {}
  const { opened, at, settle, clock } = scene({ findService: () => new Promise((resolve) => (answer = resolve)) })
  await settle()
  await clock.advance(4_999)
  expect(opened).toEqual([])
  await clock.advance(1)
  await settle()
  expect(at(0).host).toBe('worker')
  await clock.advance(1_000)
  answer(true)
  await settle()
  expect(at(1).host).toBe('service')
})

it('a service that was removed is replaced by the worker, and not tried any more', async () => {
  const found = [true, false]
  const { view, rows, at, opened, settle, clock, show } = await shownScene({
    findService: () => Promise.resolve(found.shift() ?? expect.fail('looked for a third time')),
  })
  at(0).handlers.onClose(1001)
  await clock.advance(1_000)
  at(1).handlers.onClose(1006)
  await settle()
  expect(at(2).host).toBe('worker')
  show(2, ['y'])
  await clock.advance(600_000)
  expect([rows(), view.state.host, view.state.lost, opened.length]).toEqual([['y'], 'worker', undefined, 3])
})

it('the rows of a changed query replace those of the last one when they arrive', async () => {
  const { view, rows, at, settle, show } = scene()
  await settle()
  show(0, ['x', 'y'])
  view.change({ ...query, text: 'y' })
  expect([rows(), view.state.isChanging]).toEqual([['x', 'y'], true])
  expect(at(0).sent.at(-1)).toEqual({ type: 'change', id: '1', query: { ...query, text: 'y' } })
  at(0).handlers.onFrame(frame(['y']))
  expect([rows(), view.state.isChanging]).toEqual([['y'], false])
})

it('is there when the first view is opened, if that is expected', async () => {
  const { clock, connection, opened, at, view, settle } = await shownScene()
  view.close()
  await clock.advance(5_000)
  connection.connect()
  await settle()
  expect(opened).toHaveLength(2)
  at(1).handlers.onOpen()
  expect(at(1).sent).toEqual([])
  connection.open(query, () => {})
  expect(at(1).sent).toEqual([{ type: 'open', id: '2', query, atLeast: {} }])
  await clock.advance(60_000)
  expect(at(1).isClosed).toBe(false)
})

it('a connection that was expected and is not used is closed soon', async () => {
  const { clock, connection, opened, at, view, settle } = await shownScene()
  view.close()
  await clock.advance(5_000)
  connection.connect()
  await settle()
  at(1).handlers.onOpen()
  await clock.advance(5_000)
  expect([at(1).isClosed, opened.length]).toEqual([true, 2])
})
