import { getEventListeners } from 'node:events'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createKubeClient } from './client'
import { configMapType, selfSubjectAccessReviewType } from './core-types'
import { listWatch } from './list-watch'
import type { KubeList, KubeObject } from './object'
import { createResendingReads } from './resend'
import { manualClock, type ManualClock } from './testing'
import { applyWatchEvents, type WatchEvent } from './watch-event'

/** A network that can swallow everything, in front of a server that takes `readMs` for a read. */
function network(
  clock: ManualClock,
  { latencyMs = 20, readMs = 0, mayProbe }: { latencyMs?: number; readMs?: number; mayProbe?: () => boolean } = {},
) {
  let isSwallowing = false
  let isRefusing = false
  const sent: { what: string; atMs: number; isAborted: () => boolean }[] = []
  const startMs = clock.now()
  /** A swallowed request or response never arrives later. */
  const roundTrip = (what: string, signal: AbortSignal, tookMs: number) =>
    new Promise<string>((resolve, reject) => {
      sent.push({ what, atMs: clock.now() - startMs, isAborted: () => signal.aborted })
      signal.addEventListener('abort', () => reject(signal.reason as Error))
      if (isSwallowing) return
      if (isRefusing) return reject(new Error('refused'))
      clock.after(latencyMs + tookMs, () => {
        if (!isSwallowing) resolve('answer')
      })
    })
  const reads = createResendingReads({ clock, mayProbe, probe: (signal) => roundTrip('probe', signal, 0) })
  return {
    sent,
    count: (what: string) => sent.filter((each) => each.what === what).length,
    swallow: (is: boolean) => void (isSwallowing = is),
    refuse: (is: boolean) => void (isRefusing = is),
    reads,
    isSwallowing: () => isSwallowing,
    sendAgain: () => reads.sendAgain(),
    read: <A>(result: () => A, signal = new AbortController().signal) =>
      reads.run(async (each, heard) => {
        await roundTrip('read', each, readMs)
        heard()
        return result()
      }, signal),
  }
}

it('sends a read once and no probe while the server responds', async () => {
  const clock = manualClock()
  const { read, sent } = network(clock)
  const { signal } = new AbortController()
  const answer = read(() => 'x', signal)
  await clock.advance(20)
  expect(await answer).toBe('x')
  expect(clock.pending).toBe(0)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  await clock.advance(60_000)
  expect(sent.map(({ what }) => what)).toEqual(['read'])
})

it('sends nothing for an aborted signal', async () => {
  const clock = manualClock()
  const { read, sent } = network(clock)
  await expect(read(() => 'x', AbortSignal.abort(new Error('not wanted')))).rejects.toThrow('not wanted')
  expect(sent).toEqual([])
  expect(clock.pending).toBe(0)
})

it('sends no probe while mayProbe returns false', async () => {
  const clock = manualClock()
  let mayProbe = false
  const { read, swallow, count } = network(clock, { mayProbe: () => mayProbe })
  swallow(true)
  void read(() => 'x').catch(() => undefined)
  await clock.advance(30_000)
  expect(count('probe')).toBe(0)
  mayProbe = true
  await clock.advance(1_000)
  expect(count('probe')).toBe(1)
})

it('treats a probe that fails like one without a response', async () => {
  const clock = manualClock()
  const { read, sent, swallow, refuse, count } = network(clock)
  swallow(true)
  const answer = read(() => 'x')
  swallow(false)
  refuse(true)
  await clock.advance(10_000)
  expect(sent[0]?.isAborted()).toBe(true)
  expect(count('read')).toBe(1)
  refuse(false)
  await clock.advance(2_000)
  expect(await answer).toBe('x')
})

it('resends a read once each time it gets lost', async () => {
  const clock = manualClock()
  const { read, swallow, count } = network(clock, { readMs: 60_000 })
  const answer = read(() => clock.now())
  await clock.advance(10_000)
  expect(count('read')).toBe(2)
  swallow(true)
  await clock.advance(20_000)
  swallow(false)
  await clock.advance(30_000)
  expect(count('read')).toBe(3)
  await clock.advance(40_000)
  await answer
})

it('leaves a read alone while parts of its response arrive, whether or not probes succeed', async () => {
  const clock = manualClock()
  const { read, swallow, count, reads } = network(clock, { readMs: 15_000 })
  let sent = 0
  const arriving = reads.run(async (signal, heard) => {
    sent++
    for (let second = 0; second < 30; second++) {
      await new Promise<void>((go) => clock.after(1_000, go))
      signal.throwIfAborted()
      heard()
    }
    return 'all of it'
  }, new AbortController().signal)
  void read(() => 'x').catch(() => undefined)
  await clock.advance(10_000)
  swallow(true)
  await clock.advance(20_000)
  expect(await arriving).toBe('all of it')
  expect([sent, count('read')]).toEqual([1, 2])
})

it('a probe does not affect a read sent after it', async () => {
  const clock = manualClock()
  const { read, count } = network(clock, { latencyMs: 3_900, readMs: 20_000 })
  void read(() => 'older')
  await clock.advance(3_001)
  void read(() => 'younger')
  await clock.advance(3_999)
  expect(count('read')).toBe(3)
  await clock.advance(6_000)
  expect(count('read')).toBe(4)
  await clock.advance(60_000)
})

it('fails only when no copy is left that could get a response', async () => {
  const clock = manualClock()
  const copies: { resolve(answer: string): void; reject(error: Error): void }[] = []
  const reads = createResendingReads({ clock, probe: async () => undefined })
  const run = () =>
    reads.run(
      () => new Promise<string>((resolve, reject) => copies.push({ resolve, reject })),
      new AbortController().signal,
    )
  const answered = run()
  await clock.advance(4_000)
  copies[0]?.reject(new Error('reset'))
  copies[1]?.resolve('the copy')
  expect(await answered).toBe('the copy')
  const failed = run()
  await clock.advance(4_000)
  copies[2]?.reject(new Error('reset'))
  copies[3]?.reject(new Error('refused'))
  await expect(failed).rejects.toThrow('refused')
  expect(clock.pending).toBe(0)
})

it('sendAgain resends a silent read, up to three copies, and the first response counts', async () => {
  const clock = manualClock()
  const { read, count, sendAgain } = network(clock, { readMs: 20_000 })
  const answer = read(() => clock.now())
  const startMs = clock.now()
  await clock.advance(1_000)
  sendAgain()
  expect(count('read')).toBe(1)
  await clock.advance(9_000)
  expect(count('read')).toBe(2)
  sendAgain()
  await clock.advance(4_000)
  sendAgain()
  expect(count('read')).toBe(3)
  await clock.advance(6_020)
  expect((await answer) - startMs).toBe(20_020)
})

it('does not cut off a slow server that responds to probes, and its first response counts', async () => {
  const clock = manualClock()
  const { read, sent, count } = network(clock, { readMs: 15_000 })
  const answer = read(() => clock.now())
  const startMs = clock.now()
  await clock.advance(15_020)
  expect((await answer) - startMs).toBe(15_020)
  expect(count('read')).toBe(2)
  expect(sent.slice(0, 1).map(({ isAborted }) => isAborted())).toEqual([false])
})

it('resends a lost read once even if the network healed before the first probe', async () => {
  const clock = manualClock()
  const { read, swallow } = network(clock)
  swallow(true)
  const answer = read(() => clock.now())
  const startMs = clock.now()
  await clock.advance(1_000)
  swallow(false)
  await clock.advance(4_000)
  expect((await answer) - startMs).toBeLessThan(4_000)
})

it('frees the connection of a lost read immediately and probes while the network is down', async () => {
  const clock = manualClock()
  const { read, sent, swallow, count } = network(clock)
  swallow(true)
  void read(() => 'x').catch(() => undefined)
  await clock.advance(30_000)
  expect(count('read')).toBe(1)
  expect(sent.filter(({ what }) => what === 'read').every(({ isAborted }) => isAborted())).toBe(true)
  expect(count('probe')).toBeGreaterThan(4)
})

it('ends with the caller’s signal and leaves nothing behind', async () => {
  const clock = manualClock()
  const { read, sent, swallow } = network(clock)
  swallow(true)
  const controller = new AbortController()
  const answer = read(() => 'x', controller.signal).catch((error: Error) => error.message)
  await clock.advance(5_000)
  controller.abort(new Error('not wanted'))
  expect(await answer).toBe('not wanted')
  await clock.advance(10_000)
  expect(sent.every(({ isAborted }) => isAborted())).toBe(true)
  expect(clock.pending).toBe(0)
})

it('a list whose body arrives over a minute is sent once', async () => {
  const clock = manualClock()
  let calls = 0
  const client = createKubeClient({
    baseUrl: '',
    clock,
    probeUrl: '/health',
    async fetch(url) {
      if (String(url) === '/health') return new Response('ok')
      calls++
      const text = JSON.stringify({ metadata: { resourceVersion: '1' }, items: [{ metadata: { name: 'ä' } }] })
      const bytes = [...new TextEncoder().encode(text)]
      const total = bytes.length
      const stepMs = 50_000 / bytes.length
      await new Promise<void>((go) => clock.after(2_900, go))
      return new Response(
        new ReadableStream<Uint8Array>({
          async pull(controller) {
            await new Promise<void>((go) => clock.after(bytes.length === total ? 2_900 : stepMs, go))
            const byte = bytes.shift()
            if (byte === undefined) controller.close()
            else controller.enqueue(Uint8Array.of(byte))
          },
        }),
      )
    },
  })
  const list = client.list(configMapType)
  await clock.advance(59_000)
  expect((await list).items.map(({ metadata }) => metadata.name)).toEqual(['ä'])
  expect(calls).toBe(1)
})

it('resends nothing while the client may not probe', async () => {
  const clock = manualClock()
  const urls: string[] = []
  const client = createKubeClient({
    baseUrl: '',
    clock,
    probeUrl: '/health',
    mayProbe: () => false,
    fetch: (url) => {
      urls.push(String(url))
      return new Promise(() => {})
    },
  })
  client.list(configMapType).catch(() => undefined)
  await clock.advance(30_000)
  expect(urls).toEqual(['/api/v1/configmaps'])
})

it('decodes a text that ends in the middle of a character as a browser does', async () => {
  const client = createKubeClient({
    baseUrl: '',
    clock: manualClock(),
    probeUrl: '/health',
    fetch: async () => new Response(Uint8Array.of(0x61, 0xc3)),
  })
  expect(await client.text('/log')).toBe('a\ufffd')
})

it('resends reads and access reviews, but no writes', async () => {
  const clock = manualClock()
  const calls: string[] = []
  const client = createKubeClient({
    baseUrl: '',
    clock,
    probeUrl: '/health',
    fetch: async (url, init) => {
      if (String(url) === '/health') return new Response('ok')
      calls.push(`${init?.method ?? 'GET'} ${String(url).split('/').at(-1)}`)
      return new Promise(() => {})
    },
  })
  const lost = [
    client.get(configMapType, 'a', { namespace: 'b' }),
    client.create(selfSubjectAccessReviewType, { metadata: {}, spec: {} }),
    client.create(configMapType, { metadata: { name: 'a', namespace: 'b' } }),
    client.delete(configMapType, 'a', { namespace: 'b' }),
  ]
  for (const each of lost) each.catch(() => undefined)
  await clock.advance(20_000)
  expect(calls.toSorted()).toEqual([
    'DELETE a',
    'GET a',
    'GET a',
    'POST configmaps',
    'POST selfsubjectaccessreviews',
    'POST selfsubjectaccessreviews',
  ])
})

it('the list equals the server’s within 10 s after a network that swallowed everything heals', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 20_000 }) }),
    fc.record({ do: fc.constant('swallow' as const), ms: fc.integer({ min: 1, max: 200_000 }) }),
    fc.record({ do: fc.constant('cut' as const), code: fc.constantFrom(1000, 1006) }),
    fc.record({ do: fc.constant('write' as const), name: fc.constantFrom('a', 'b', 'c') }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), fc.integer({ min: 1, max: 200_000 }), async (steps, lastMs) => {
      const clock = manualClock()
      const { read, swallow, isSwallowing } = network(clock)
      let version = 1
      const objects = new Map<string, KubeObject>()
      const history: { version: number; event: WatchEvent }[] = []
      let shown: KubeList = { metadata: {}, items: [] }
      type OpenSocket = { send(text: string): void; end(code: number): void }
      const sockets = new Set<OpenSocket>()
      const answer = (): KubeList => ({ metadata: { resourceVersion: String(version) }, items: [...objects.values()] })
      const watch = listWatch({
        clock,
        list: (signal) => read(answer, signal),
        openWatch(from, handlers) {
          let isGone = isSwallowing()
          const socket: OpenSocket = {
            send: (text) => !(isGone ||= isSwallowing()) && handlers.onMessage(text),
            end: (code) => !(isGone ||= isSwallowing()) && handlers.onClose(code),
          }
          clock.after(20, () => {
            if ((isGone ||= isSwallowing())) return
            sockets.add(socket)
            handlers.onOpen()
            socket.send('')
            for (const past of history) if (past.version > Number(from)) socket.send(JSON.stringify(past.event))
          })
          return { close: () => void ((isGone = true), sockets.delete(socket)) }
        },
        onList: (list) => (shown = list),
        onEvents: (events) => (shown = applyWatchEvents(shown, events)),
        warn: () => {},
      })
      let isOver = false
      const beat = () => {
        for (const socket of sockets) socket.send('')
        if (!isOver) clock.after(5_000, beat)
      }
      beat()
      const write = (name: string) => {
        const object = { metadata: { name, uid: name, resourceVersion: String(++version) } }
        const event: WatchEvent = { type: objects.has(name) ? 'MODIFIED' : 'ADDED', object }
        objects.set(name, object)
        history.push({ version, event })
        for (const socket of [...sockets]) socket.send(JSON.stringify(event))
      }
      const swallowFor = async (ms: number) => {
        swallow(true)
        write('d')
        // Data in transit at that moment is lost, and so is the connection.
        for (const socket of [...sockets]) socket.send('')
        await clock.advance(ms)
        swallow(false)
      }
      for (const each of steps) {
        if (each.do === 'pass') await clock.advance(each.ms)
        else if (each.do === 'write') write(each.name)
        else if (each.do === 'cut') for (const socket of [...sockets]) socket.end(each.code)
        else await swallowFor(each.ms)
      }
      // An outage shorter than the silence limit of a connection may not be detected yet.
      await swallowFor(lastMs + 15_000)
      await clock.advance(10_100)
      const byName = ({ items }: KubeList) =>
        items.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`)
      expect(byName(shown).sort()).toEqual(byName(answer()).sort())
      watch.close()
      isOver = true
      await clock.advance(5_000)
      expect(clock.pending).toBe(0)
    }),
    { numRuns: 300 },
  )
})
