import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exchange, type Side } from './exchange'
import { mailOf, people, type Person } from './request'
import { apiRequests } from './api'
import { headerRequests } from './headers'
import { oauthRequests } from './oauth'
import { pathRequests } from './paths'
import { wireRequests } from './wire'
import { probePlugins, startUpstreams, writeSite, type Upstreams } from './environment'
import { gatewayToken, signIn, startListeningGateway, type ListeningGateway } from '../gateway-under-test'

const requests = [...apiRequests, ...pathRequests, ...headerRequests, ...oauthRequests, ...wireRequests]

let folder: string
let upstreams: Upstreams
let gateway: ListeningGateway
let side: Side

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-requests-'))
  const assets = join(folder, 'site')
  await writeSite(assets)
  upstreams = await startUpstreams()
  gateway = await startListeningGateway({
    kubernetes: { access: { url: upstreams.kubernetes.url } },
    namespaceLister: { url: upstreams.namespaceLister.url },
    tektonResults: { url: upstreams.tektonResults.url, token: 'gateway' },
    kubeArchive: { url: upstreams.kubeArchive.url, token: 'gateway' },
    views: { url: upstreams.views.url, token: 'gateway' },
    assets,
  })
  const { origin, issuer, clock } = gateway
  const cookieFor = (person: Person) =>
    signIn(gateway.app, { user: mailOf(person), email: mailOf(person), groups: people[person] })
  const seconds = Math.floor(clock.now() / 1000)
  const claims = { iss: issuer.url, aud: 'slipway', iat: seconds, exp: seconds + 3_600, ...issuer.claims }
  side = {
    origin,
    cookies: { ada: await cookieFor('ada'), bea: await cookieFor('bea'), cyd: await cookieFor('cyd') },
    tokens: {
      ada: await issuer.sign({ ...claims, groups: [] }),
      other: await issuer.sign({ ...claims, aud: 'other' }),
      forged: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.',
    },
    clusterToken: gatewayToken,
    upstreams,
  }
  await probePlugins(origin, side.cookies.ada)
})
afterAll(async () => {
  await gateway.close()
  await Promise.all(Object.values(upstreams).map((upstream) => upstream.close()))
  await rm(folder, { recursive: true })
})

/** The person's groups without system groups and ambiguous ones. */
const groupsOf = (person: Person) =>
  [...people[person].filter((group: string) => !/^system:|,/.test(group)), 'system:authenticated'].sort().join(' ')

test.each(requests.map((request) => ({ by: request.as ?? request.token ?? 'no session', method: 'GET', ...request })))(
  '$name: $by, $method $target',
  async (request) => {
    const { status, body, reached, identity, smuggled, setHeaders } = await exchange(side, request)
    expect(status, body).toBe(request.status)
    expect(reached).toBe(request.reached ?? '')
    expect(smuggled).toBe('')
    if (request.reached) {
      const person = request.as ?? 'ada'
      const verb = request.reached.startsWith('namespaceLister') ? 'names' : 'the proxy impersonates'
      expect(identity).toBe(`${verb} ${mailOf(person)} in ${groupsOf(person)}`)
    }
    const isPage = request.target.startsWith('/oauth2/callback')
    const hasBody = request.method !== 'HEAD'
    if (status >= 400 && !isPage && hasBody) expect(JSON.parse(body)).toMatchObject({ kind: 'Status', code: status })
    if (!request.target.startsWith('/oauth2/')) expect(setHeaders).toBe('')
  },
)
