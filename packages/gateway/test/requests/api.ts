import { json } from '@slipway/connect/testing'
import { fromOurPage, hostileMark, jsonType, type Request } from './request'

const secrets = '/api/k8s/api/v1/namespaces/a/secrets'
const results = '/apis/results.tekton.dev/v1alpha2/parents/a/results/-/records'
const wss = '/wss/k8s/api/v1/namespaces/a/pods?watch=true'
const binary: [string, string] = ['Sec-WebSocket-Protocol', 'base64.binary.k8s.io']
const origin: [string, string] = ['Origin', '{origin}']
const page: [string, string] = ['Accept', 'text/html']
const podsPost: Request = {
  name: 'a write by the console',
  as: 'ada',
  method: 'POST',
  target: '/api/k8s/api/v1/namespaces/a/pods',
  headers: [...fromOurPage, jsonType],
  body: '{}',
  status: 200,
  reached: 'kubernetes POST /api/v1/namespaces/a/pods',
}
const socket: Request = {
  name: 'a websocket',
  as: 'ada',
  target: wss,
  isSocket: true,
  headers: [origin, binary],
  status: 101,
  reached: 'kubernetes GET /api/v1/namespaces/a/pods?watch=true base64.binary.k8s.io',
}

const suite: Request[] = [
  ...[
    secrets,
    '/api/k8s/apis/appstudio.redhat.com/v1alpha1/namespaces/a/releaseplans',
    '/api/k8s/apis/appstudio.redhat.com/v1alpha1/namespaces/a/applications',
  ].flatMap((target): Request[] => [
    { name: 'no session', target, status: 401 },
    { name: 'a session', as: 'ada', target, status: 200, reached: `kubernetes GET ${target.slice('/api/k8s'.length)}` },
  ]),
  { name: 'the site', target: '/', headers: [page], status: 200 },
  { name: 'health', target: '/health', status: 200 },
  { name: 'a websocket without a session', target: wss, isSocket: true, headers: [origin, binary], status: 401 },
  socket,
  { ...socket, name: 'a websocket of a user with groups', as: 'bea' },
  {
    ...socket,
    name: 'a websocket without a subprotocol',
    headers: [origin],
    reached: socket.reached?.split(' base64')[0],
  },
  podsPost,
]

const namespaces: Request[] = [
  { name: 'namespaces without a session', target: '/api/k8s/api/v1/namespaces', status: 401 },
  {
    name: 'namespaces',
    as: 'bea',
    target: '/api/k8s/api/v1/namespaces',
    status: 200,
    reached: 'namespaceLister GET /api/v1/namespaces',
  },
  {
    name: 'namespaces with a trailing slash',
    as: 'ada',
    target: '/api/k8s/api/v1/namespaces/',
    status: 200,
    reached: 'namespaceLister GET /api/v1/namespaces',
  },
  {
    name: 'namespaces, page by page',
    as: 'ada',
    target: '/api/k8s/api/v1/namespaces?limit=5',
    status: 200,
    reached: 'namespaceLister GET /api/v1/namespaces',
  },
  {
    name: 'namespaces by label',
    as: 'ada',
    target: '/api/k8s/api/v1/namespaces?labelSelector=a%3Db',
    status: 200,
    reached: 'namespaceLister GET /api/v1/namespaces',
  },
  ...['watch=1', 'watch=true'].map((query): Request => ({
    name: 'a watch of namespaces',
    as: 'ada',
    target: `/api/k8s/api/v1/namespaces?${query}`,
    status: 405,
  })),
  {
    name: 'a websocket that watches namespaces',
    as: 'ada',
    target: '/wss/k8s/api/v1/namespaces?watch=true',
    isSocket: true,
    headers: [origin],
    status: 405,
  },
  {
    ...podsPost,
    name: 'creating a namespace',
    target: '/api/k8s/api/v1/namespaces',
    reached: 'kubernetes POST /api/v1/namespaces',
  },
  {
    name: 'one namespace',
    as: 'ada',
    target: '/api/k8s/api/v1/namespaces/a',
    status: 200,
    reached: 'kubernetes GET /api/v1/namespaces/a',
  },
]

const plugins: Request[] = [
  { name: 'an archive without a session', target: '/api/k8s/plugins/kubearchive/livez', status: 401 },
  ...['/livez', '/apis/tekton.dev/v1/namespaces/a/pipelineruns?limit=2'].map((path): Request => ({
    name: 'KubeArchive',
    as: 'bea',
    target: `/api/k8s/plugins/kubearchive${path}`,
    status: 200,
    reached: `kubeArchive GET ${path}`,
  })),
  {
    name: 'Tekton Results',
    as: 'bea',
    target: `/api/k8s/plugins/tekton-results${results}?page_size=2`,
    status: 200,
    reached: `tektonResults GET ${results}?page_size=2`,
  },
  {
    ...podsPost,
    name: 'a write to an archive',
    target: '/api/k8s/plugins/kubearchive/api/v1/namespaces/a/pods',
    status: 405,
    reached: undefined,
  },
  {
    name: 'another path of Tekton Results',
    as: 'ada',
    target: '/api/k8s/plugins/tekton-results/healthz',
    status: 404,
  },
]

const bearers: Request[] = [
  {
    name: 'a token of our client',
    token: 'ada',
    target: secrets,
    status: 200,
    reached: 'kubernetes GET /api/v1/namespaces/a/secrets',
  },
  { ...podsPost, name: 'a write with a token, not from a page', as: undefined, token: 'ada', headers: [jsonType] },
  { ...socket, name: 'a websocket with a token, not from a page', as: undefined, token: 'ada', headers: [binary] },
  { name: 'a token of another client', token: 'other', target: secrets, status: 401 },
  { name: 'a forged token', token: 'forged', target: secrets, status: 401 },
  { name: 'the user of a token', token: 'ada', target: '/oauth2/auth', status: 202 },
  {
    name: 'a forged token with a cookie',
    as: 'ada',
    token: 'forged',
    target: secrets,
    status: 401,
  },
  {
    name: 'a password with a cookie',
    as: 'ada',
    headers: [['Authorization', 'Basic YTpi']],
    target: secrets,
    status: 401,
  },
]

const refusedWrite = { ...podsPost, status: 403, reached: undefined }

const otherSites: Request[] = [
  { ...refusedWrite, name: 'a write without our header', headers: [['Sec-Fetch-Site', 'same-origin'], jsonType] },
  { ...refusedWrite, name: 'a write from another site', headers: [['Origin', 'https://evil.example'], jsonType] },
  {
    ...refusedWrite,
    name: 'a form from another site',
    headers: [
      ['Sec-Fetch-Site', 'cross-site'],
      ['Content-Type', 'application/x-www-form-urlencoded'],
    ],
  },
  {
    ...refusedWrite,
    name: 'a write from another site without a body',
    headers: [['Sec-Fetch-Site', 'cross-site']],
    body: '',
  },
  { ...refusedWrite, name: 'a form', headers: [...fromOurPage, ['Content-Type', 'text/plain']], status: 415 },
  {
    ...socket,
    name: 'a websocket from another site',
    headers: [['Origin', 'https://evil.example'], binary],
    status: 403,
    reached: undefined,
  },
  {
    ...socket,
    name: 'a websocket with a cookie but without an origin',
    headers: [binary],
    status: 403,
    reached: undefined,
  },
  {
    ...socket,
    name: 'a subprotocol with a token',
    headers: [origin, ['Sec-WebSocket-Protocol', `base64url.bearer.authorization.k8s.io.${hostileMark}, ${binary[1]}`]],
  },
  {
    ...socket,
    name: 'another subprotocol',
    headers: [origin, ['Sec-WebSocket-Protocol', 'v4.channel.k8s.io']],
    status: 400,
    reached: undefined,
  },
]

const answers: Request[] = [
  {
    name: 'an upstream that redirects',
    as: 'ada',
    target: secrets,
    upstreamResponse: json({ kind: 'Status' }, 302, { location: 'http://169.254.169.254/' }),
    status: 502,
    reached: 'kubernetes GET /api/v1/namespaces/a/secrets',
  },
  {
    name: 'an upstream that rejects the gateway',
    as: 'ada',
    target: secrets,
    upstreamResponse: json({ kind: 'Status' }, 401),
    status: 502,
    reached: 'kubernetes GET /api/v1/namespaces/a/secrets',
  },
  {
    name: 'an archive that denies access',
    as: 'ada',
    target: '/api/k8s/plugins/kubearchive/apis/tekton.dev/v1/namespaces/a/pipelineruns',
    upstreamResponse: json({ message: 'no' }, 401),
    status: 403,
    reached: 'kubeArchive GET /apis/tekton.dev/v1/namespaces/a/pipelineruns',
  },
  {
    name: 'an upstream whose headers affect the browser',
    as: 'ada',
    target: secrets,
    upstreamResponse: json({ kind: 'Status' }, 200, {
      'set-cookie': `a=${hostileMark}`,
      'access-control-allow-origin': '*',
      'clear-site-data': '"*"',
      server: 'upstream',
    }),
    status: 200,
    reached: 'kubernetes GET /api/v1/namespaces/a/secrets',
  },
]

export const apiRequests: Request[] = [suite, namespaces, plugins, bearers, otherSites, answers].flat()
