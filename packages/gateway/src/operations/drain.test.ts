import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { startEchoUpstream } from '@slipway/connect/testing'
import { systemClock } from '@slipway/kube/clock'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startFakeIssuer } from '../../test/fake-issuer'
import { configFor, signIn, startListeningGateway } from '../../test/gateway-under-test'
import { createGateway } from '../app'

it('/ready fails as soon as draining starts, and requests are served until load balancers have noticed', async () => {
  const gateway = await startListeningGateway()
  const { app, clock, host } = gateway
  const cookie = await signIn(app)
  const get = (url: string) => app.inject({ url, headers: { host, cookie } })
  expect((await get('/ready')).statusCode).toBe(200)
  const left = app.drain({ graceMs: 5_000, spreadMs: 1_000 })
  expect((await get('/ready')).statusCode).toBe(503)
  expect((await get('/health')).statusCode).toBe(200)
  const during = await get('/api/k8s/version')
  expect([during.statusCode, during.headers.connection]).toEqual([200, 'keep-alive'])
  await clock.advance(5_000)
  const after = await get('/api/k8s/version')
  expect([after.statusCode, after.headers.connection]).toEqual([200, 'close'])
  expect(app.drain()).toBe(left)
  await clock.advance(1_000)
  await left
  await gateway.close()
})

it('draining ends streams one after the other with 1001 and lets calls finish', async () => {
  const gateway = await startListeningGateway()
  const { app, clock, host, origin, upstream } = gateway
  const cookie = await signIn(app)
  const sockets = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const socket = new WebSocket(`ws://${host}/wss/k8s/api/v1/pods?watch=true`, { headers: { cookie, origin } })
      await once(socket, 'open')
      return socket
    }),
  )
  const codes = Promise.all(sockets.map(async (socket) => (await once(socket, 'close'))[0]))
  let finish = () => {}
  const asked = new Promise<void>((resolve) => {
    upstream.respond = (_request, response) => {
      finish = () => response.end('{}')
      resolve()
    }
  })
  const slow = app.inject({ url: '/api/k8s/version', headers: { host, cookie } })
  await asked

  const left = app.drain({ graceMs: 0, spreadMs: 1_000 })
  const open = () => sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length
  await clock.advance(500)
  await expect.poll(open).toBeLessThan(6)
  expect(open()).toBeGreaterThan(2)
  await clock.advance(1_000)
  expect(await codes).toEqual(Array.from({ length: 10 }, () => 1001))
  finish()
  const { statusCode, headers } = await slow
  expect([statusCode, headers.connection]).toEqual([200, 'close'])
  await clock.advance(100)
  await left
  await gateway.close()
})

describe('a rolling restart behind a load balancer', () => {
  const restarts = 3
  const clients = 20

  it('a rolling restart fails no request of clients that call and watch all the time', async () => {
    const upstream = await startEchoUpstream()
    const balancer = await startBalancer()
    const issuer = await startFakeIssuer(systemClock)
    const origin = `http://127.0.0.1:${balancer.port}`
    const signInConfig = { oidc: { issuer: issuer.url, clientId: 'slipway' } }
    const config = { ...configFor(upstream.url, { signIn: signInConfig }), port: 0, publicOrigins: [origin] }
    const replica = async () => {
      const app = await createGateway(config)
      await app.listen({ host: '127.0.0.1', port: 0 })
      // Listening on a port, so the address is an object.
      const { port } = app.server.address() as AddressInfo
      return { app, port, remove: await balancer.add(port) }
    }
    const replicas = [await replica(), await replica()]
    const cookie = await signIn(replicas[0]!.app, {}, config) // There are two.
    const host = `127.0.0.1:${balancer.port}`

    const failures: unknown[] = []
    let calls = 0
    let watchesEnded = 0
    let isOver = false
    const client = async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      while (!isOver) {
        const status = await statusOf({
          agent,
          port: balancer.port,
          path: '/api/k8s/version',
          headers: { host, cookie },
        })
        calls += 1
        if (status !== 200) failures.push(status)
      }
      agent.destroy()
    }
    const watcher = async () => {
      while (!isOver) {
        const socket = new WebSocket(`ws://${host}/wss/k8s/api/v1/pods?watch=true`, { headers: { cookie, origin } })
        watches.add(socket)
        socket.on('error', (error) => isOver || failures.push(error.message))
        const code = await new Promise((resolve) => socket.once('close', resolve))
        watches.delete(socket)
        if (!isOver && code !== 1001) failures.push(`closed with ${code}`)
        watchesEnded += 1
      }
    }
    const watches = new Set<WebSocket>()
    const all = Array.from({ length: clients }, () => [client(), watcher()]).flat()

    for (let round = 0; round < restarts; round++) {
      for (const index of [0, 1]) {
        const old = replicas[index]! // There are two.
        await old.app.drain({ graceMs: 20 * balancer.probeMs, spreadMs: 300, callsMs: 5_000 })
        old.remove()
        replicas[index] = await replica()
      }
    }
    isOver = true
    for (const socket of watches) socket.terminate()
    await Promise.all(all)
    expect(failures).toEqual([])
    expect(calls).toBeGreaterThan(clients * restarts)
    expect(watchesEnded).toBeGreaterThan(clients * restarts)
    for (const { app } of replicas) await app.close()
    await balancer.close()
    await upstream.close()
    await issuer.close()
  })
})

function statusOf(options: {
  agent: Agent
  port: number
  path: string
  headers: Record<string, string>
}): Promise<unknown> {
  return new Promise((resolve) => {
    request({ host: '127.0.0.1', ...options }, (response: IncomingMessage) => {
      response.resume().once('end', () => resolve(response.statusCode))
      response.once('error', resolve)
    })
      .once('error', resolve)
      .end()
  })
}

/** Distributes connections over the replicas that are ready, which it probes as load balancers do. */
async function startBalancer() {
  const probeMs = 50
  const ready = new Set<number>()
  let turn = 0
  const sockets = new Set<Socket>()
  const server = createServer((incoming) => {
    const ports = [...ready]
    const outgoing = connect(ports[turn++ % ports.length] ?? 0, '127.0.0.1')
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy()).once('close', () => sockets.delete(from))
      from.pipe(to)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  async function isReady(port: number): Promise<boolean> {
    const response = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined)
    await response?.arrayBuffer()
    return response?.ok === true
  }

  return {
    // Listening on a port, so the address is an object.
    port: (server.address() as AddressInfo).port,
    probeMs,
    /** Resolves after the first probe. */
    async add(port: number): Promise<() => void> {
      if (await isReady(port)) ready.add(port)
      let isRemoved = false
      // One after the other: a late response to an earlier probe must not overrule that of a later one.
      const probe = async () => {
        while (!isRemoved) {
          await delay(probeMs)
          const next = await isReady(port)
          if (next && !isRemoved) ready.add(port)
          else ready.delete(port)
        }
      }
      void probe()
      return () => {
        isRemoved = true
        ready.delete(port)
      }
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
