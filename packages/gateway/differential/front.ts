import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import { createGateway } from '../src/app'
import type { GatewayConfig } from '../src/config'
import { Browser, signIn } from './browser'
import type { Program } from './builds'
import { print, type Comparison } from './compare'
import { startFront } from './peers'
import type { Running } from './processes'
import { hostileMark } from './request'
import type { Upstreams } from './environment'

interface Parts {
  program: Program
  folder: string
  issuer: string
  ports: { front: number; gateway: number }
  config: Omit<GatewayConfig, 'host' | 'port' | 'signIn'>
  upstreams: Upstreams
  run(running: Running): void
}

/**
 * Checks what the console does through the gateway behind oauth2-proxy, which handles sign-in.
 * @returns the number of unexpected results
 */
export async function checkFront({ program, folder, issuer, ports, config, upstreams, run }: Parts): Promise<number> {
  const origin = `http://127.0.0.1:${ports.front}`
  const secret = { header: 'X-Front-Proxy-Secret', value: 'sentinel-secret-of-the-front' }
  const address = `http://127.0.0.1:${ports.gateway}`
  const gateway = await createGateway({
    ...config,
    host: '127.0.0.1',
    port: ports.gateway,
    publicOrigins: [origin],
    signIn: { frontProxy: { secret } },
  })
  await gateway.listen({ host: '127.0.0.1', port: ports.gateway })
  run({ stop: () => gateway.close() })
  run(await startFront(program, { folder, port: ports.front }, { issuer, gateway: address, secret }))

  const rows: Comparison[] = []
  const expect = (name: string, actual: unknown, expected: unknown) => {
    const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
    const errors = got === wanted ? [] : [`${got}, not ${wanted}`]
    rows.push({ name, verdict: got === wanted ? 'as it should be' : 'UNEXPECTED', why: [], errors })
  }
  const { kubernetes } = upstreams
  const lastSeen = () => {
    const seen = kubernetes.seen.at(-1)
    return seen?.headers.filter(([name]) => name.startsWith('impersonate-')).map(([, value]) => value)
  }

  const nobody = await fetch(`${origin}/api/k8s/version`, { redirect: 'manual' })
  expect('a call without a session', nobody.status, 401)
  const page = await fetch(`${origin}/ns/a`, { redirect: 'manual', headers: { accept: 'text/html' } })
  expect('a page without a session redirects to the provider', page.headers.get('location')?.startsWith(issuer), true)

  const browser = new Browser()
  const end = await signIn(browser, `${origin}/oauth2/start?rd=%2Fns%2Fa`, { person: 'bea' })
  expect('sign-in returns to the start page', end.headers.get('location'), '/ns/a')
  const site = await browser.go(`${origin}/ns/a`)
  expect('the console', [site.status, site.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
  const who = (await (await browser.go(`${origin}/oauth2/userinfo`)).json()) as Record<string, unknown>
  expect('the signed-in user', [who.email, who.groups], ['bea@slipway.test', ['team-a', 'team-b']])

  const bea = ['bea@slipway.test', 'team-a', 'team-b', 'system:authenticated']
  const list = await browser.go(`${origin}/api/k8s/api/v1/namespaces/a/pods?limit=5`)
  expect('a list', [list.status, lastSeen()], [200, bea])
  const namespaces = await browser.go(`${origin}/api/k8s/api/v1/namespaces`)
  expect('the list of namespaces', [namespaces.status, await kindOf(namespaces)], [200, 'NamespaceList'])
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'x-requested-with': 'slipway' }
  const write = await browser.go(`${origin}/api/k8s/api/v1/namespaces/a/pods`, { method: 'POST', body: '{}', headers })
  expect('a write', [write.status, lastSeen()], [200, bea])
  const foreign = await browser.go(`${origin}/api/k8s/api/v1/namespaces/a/pods`, { method: 'POST', body: '{}' })
  expect('a write from another site', foreign.status, 403)

  const claims = Object.fromEntries(
    [
      'X-Auth-Request-Email',
      'X-Auth-Request-User',
      'X-Auth-Request-Groups',
      'X-Forwarded-Groups',
      'Impersonate-Group',
    ].map((name) => [name, hostileMark]),
  )
  const ada = new Browser()
  await signIn(ada, `${origin}/oauth2/start`, { person: 'ada' })
  const requestClaiming = await ada.go(`${origin}/api/k8s/version`, { headers: claims })
  expect(
    'a call that claims groups',
    [requestClaiming.status, lastSeen()],
    [200, ['ada@slipway.test', 'system:authenticated']],
  )
  const cyd = new Browser()
  await signIn(cyd, `${origin}/oauth2/start`, { person: 'cyd' })
  await cyd.go(`${origin}/api/k8s/version`)
  // oauth2-proxy joins groups with commas, so a group with a comma has become two.
  expect('hostile groups', lastSeen(), ['cyd@slipway.test', 'team-a', 'team-b', 'system:authenticated'])
  const unnamed = await onConnection(origin, browser.cookiesOf(origin), 'X-Auth-Request-Email')
  expect('a call whose Connection header names the user header', unnamed, 401)
  const unproven = await onConnection(origin, browser.cookiesOf(origin), secret.header)
  expect('a call whose Connection header names the secret header', unproven, 401)
  const beside = await fetch(`${address}/api/k8s/version`, { headers: { ...claims, host: new URL(origin).host } })
  expect('a call that bypasses the proxy', beside.status === 401 || beside.status === 400, true)

  const socketTo = (from: string) =>
    new WebSocket(`${origin.replace('http', 'ws')}/wss/k8s/api/v1/pods?watch=true`, 'base64.binary.k8s.io', {
      origin: from,
      headers: { cookie: browser.cookiesOf(origin) },
    })
  const socket = socketTo(origin)
  await once(socket, 'open')
  expect('a websocket', [socket.protocol, lastSeen()], ['base64.binary.k8s.io', bea])
  socket.send('{}')
  const [echo] = (await once(socket, 'message')) as [Buffer]
  expect('its echo', String(echo), '{}')
  socket.terminate()
  const refused = socketTo('https://evil.example')
  const [error] = (await once(refused, 'error')) as [Error]
  expect('a websocket from another site', error.message, 'Unexpected server response: 403')

  const out = await browser.go(`${origin}/oauth2/sign_out?rd=%2F`)
  const after = await browser.go(`${origin}/oauth2/userinfo`)
  expect('sign-out', [out.headers.get('location'), after.status], ['/', 401])
  return print('The gateway behind oauth2-proxy', rows)
}

const kindOf = async (response: Response): Promise<unknown> => ((await response.json()) as { kind?: unknown }).kind

/** `fetch` does not allow setting this header. */
async function onConnection(origin: string, cookie: string, names: string): Promise<number | undefined> {
  const { hostname, port, host } = new URL(origin)
  const headers = ['Host', host, 'Cookie', cookie, 'Connection', `keep-alive, ${names}`]
  const call = request({ host: hostname, port, path: '/api/k8s/version', headers, agent: false }).end()
  // The response is the event's only argument.
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}
