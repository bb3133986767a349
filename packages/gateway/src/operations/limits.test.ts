import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { signIn, startListeningGateway, type ListeningGateway, type Overrides } from '../../test/gateway-under-test'
import { openRaw } from '../../test/raw-request'

let gateway: ListeningGateway
afterEach(() => gateway.close())

const start = async (limits: Overrides['limits']) => {
  gateway = await startListeningGateway({ limits: { ...limits } })
  // Answers begin, and never end.
  gateway.upstream.answer = (_request, response) => response.writeHead(200).flushHeaders()
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
  const refused = once(socket, 'unexpected-response')
  const answer = await Promise.race([once(socket, 'open').then(() => socket), refused])
  if (!Array.isArray(answer)) return answer
  socket.on('error', () => {}).terminate()
  return answer[1].statusCode
}

const bodyOf = async (response: AsyncIterable<Buffer>) => {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}

describe('streams', () => {
  it('are counted for each user, by HTTP and websocket together, and their end makes room', async () => {
    const cookie = await start({ streamsPerUser: 2 })
    const first = await watch(cookie)
    const second = await openSocket(cookie)
    const refused = await watch(cookie)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '5'])
    expect(await bodyOf(refused)).toMatchObject({ kind: 'Status', code: 429, reason: 'TooManyRequests' })
    expect(await openSocket(cookie)).toBe(429)
    // Neither other calls nor other users pay for it.
    expect((await list(cookie)).statusCode).toBe(200)
    expect((await watch(await signIn(gateway.app, { user: 'bob@slipway.test' }))).statusCode).toBe(200)

    const [{ socket }] = [first]
    first.destroy()
    await once(socket, 'close')
    if (second instanceof WebSocket) second.terminate()
    await expect.poll(async () => (await watch(cookie)).statusCode).toBe(200)
  })

  it('are counted for all users together', async () => {
    await start({ streams: 2 })
    const codes = []
    for (const user of ['a@b.test', 'c@d.test', 'e@f.test']) {
      codes.push((await watch(await signIn(gateway.app, { user }))).statusCode)
    }
    expect(codes).toEqual([200, 200, 429])
  })
})

it('holds calls under way to their number, and forgets those that are over', async () => {
  const cookie = await start({ callsPerUser: 2 })
  const first = await list(cookie)
  await list(cookie)
  const refused = await list(cookie)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1'])
  expect((await watch(cookie)).statusCode).toBe(200)
  first.destroy()
  await expect.poll(async () => (await list(cookie)).statusCode).toBe(200)
})

it('lets a user begin so many calls a second, in all sessions together, and says how long to wait', async () => {
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
  // Sign-in and the page itself are not held to it.
  const headers = { host: gateway.host, cookie }
  expect((await gateway.app.inject({ url: '/oauth2/userinfo', headers })).statusCode).toBe(200)
  gateway.clock.jump(2_000)
  expect(await call()).toEqual([200, undefined])
  expect(await call()).toEqual([429, '2'])
  // The clock of the machine is set back: what was waited for comes nevertheless.
  gateway.clock.jump(-3_600_000)
  expect(await call()).toEqual([429, '2'])
  gateway.clock.jump(2_000)
  expect(await call()).toEqual([200, undefined])
  expect(await call()).toEqual([429, '2'])
})
