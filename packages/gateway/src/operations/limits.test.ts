import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { signIn, startListeningGateway, type ListeningGateway, type Overrides } from '../../test/gateway-under-test'
import { openRaw } from '../../test/raw-request'

let gateway: ListeningGateway
afterEach(() => gateway.close())

const start = async (limits: Overrides['limits']) => {
  gateway = await startListeningGateway({ limits: { ...limits } })
  // Responses start but never end.
  gateway.upstream.respond = (_request, response) => response.writeHead(200).flushHeaders()
  return signIn(gateway.app)
}

const open = (cookie: string, target: string) => {
  const headers: [string, string][] = [
    ['Host', gateway.host],
    ['Cookie', cookie],
  ]
  return openRaw({ port: gateway.port, target, headers })
}
const watch = (cookie: string) => open(cookie, '/api/k8s/api/v1/pods?watch=true')
const list = (cookie: string) => open(cookie, '/api/k8s/api/v1/pods')

const openSocket = async (cookie: string): Promise<WebSocket | number> => {
  const url = `ws://${gateway.host}/wss/k8s/api/v1/pods?watch=true`
  const socket = new WebSocket(url, { headers: { cookie, origin: gateway.origin } })
  const rejected = once(socket, 'unexpected-response')
  const response = await Promise.race([once(socket, 'open').then(() => socket), rejected])
  if (!Array.isArray(response)) return response
  socket.on('error', () => {}).terminate()
  return response[1].statusCode
}

const bodyOf = async (response: AsyncIterable<Buffer>) => {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}

describe('streams', () => {
  it('streams are limited per user, over HTTP and websocket together, and ended streams free a slot', async () => {
    const cookie = await start({ streamsPerUser: 2 })
    const first = await watch(cookie)
    const second = await openSocket(cookie)
    const rejected = await watch(cookie)
    expect([rejected.statusCode, rejected.headers['retry-after']]).toEqual([429, '5'])
    expect(await bodyOf(rejected)).toMatchObject({ kind: 'Status', code: 429, reason: 'TooManyRequests' })
    expect(await openSocket(cookie)).toBe(429)
    // Other calls and other users are not affected.
    expect((await list(cookie)).statusCode).toBe(200)
    expect((await watch(await signIn(gateway.app, { user: 'bob@slipway.test' }))).statusCode).toBe(200)

    const [{ socket }] = [first]
    first.destroy()
    await once(socket, 'close')
    if (second instanceof WebSocket) second.terminate()
    await expect.poll(async () => (await watch(cookie)).statusCode).toBe(200)
  })

  it('streams of all users together are limited', async () => {
    await start({ streams: 2 })
    const codes = []
    for (const user of ['a@b.test', 'c@d.test', 'e@f.test']) {
      codes.push((await watch(await signIn(gateway.app, { user }))).statusCode)
    }
    expect(codes).toEqual([200, 200, 429])
  })
})

it('pending calls are limited per user, and completed calls free a slot', async () => {
  const cookie = await start({ callsPerUser: 2 })
  const first = await list(cookie)
  await list(cookie)
  const rejected = await list(cookie)
  expect([rejected.statusCode, rejected.headers['retry-after']]).toEqual([429, '1'])
  expect((await watch(cookie)).statusCode).toBe(200)
  first.destroy()
  await expect.poll(async () => (await list(cookie)).statusCode).toBe(200)
})

it('the call rate of a user is limited over all sessions, and the 429 says how long to wait', async () => {
  const cookie = await start({ callBurst: 3, callsPerSecond: 0.5 })
  const call = async (as = cookie) => {
    const response = await list(as)
    response.resume().destroy()
    return [response.statusCode, response.headers['retry-after']]
  }
  expect([await call(), await call(), await call()].map(([code]) => code)).toEqual([200, 200, 200])
  expect(await call()).toEqual([429, '2'])
  expect(await openSocket(cookie)).toBe(429)
  // Another session of the same user shares the limit; another user does not.
  expect(await call(await signIn(gateway.app))).toEqual([429, '2'])
  expect(await call(await signIn(gateway.app, { user: 'bob@slipway.test' }))).toEqual([200, undefined])
  // Sign-in and the page itself are not limited.
  const headers = { host: gateway.host, cookie }
  expect((await gateway.app.inject({ url: '/oauth2/userinfo', headers })).statusCode).toBe(200)
  gateway.clock.jump(2_000)
  expect(await call()).toEqual([200, undefined])
  expect(await call()).toEqual([429, '2'])
  // When the system clock is set back, buckets keep filling.
  gateway.clock.jump(-3_600_000)
  expect(await call()).toEqual([429, '2'])
  gateway.clock.jump(2_000)
  expect(await call()).toEqual([200, undefined])
  expect(await call()).toEqual([429, '2'])
})
