import { json } from '../test/echo-upstream'
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
  ours: 200,
  reached: 'kubernetes POST /api/v1/namespaces/a/pods',
}
const socket: Request = {
  name: 'a websocket',
  as: 'ada',
  target: wss,
  isSocket: true,
  headers: [origin, binary],
  ours: 101,
  reached: 'kubernetes GET /api/v1/namespaces/a/pods?watch=true base64.binary.k8s.io',
}

/** The requests of the real deployment's own conformance suite. */
const suite: Request[] = [
  ...[
    secrets,
    '/api/k8s/apis/appstudio.redhat.com/v1alpha1/namespaces/a/releaseplans',
    '/api/k8s/apis/appstudio.redhat.com/v1alpha1/namespaces/a/applications',
  ].flatMap((target): Request[] => [
    { name: 'no session', target, ours: 401 },
    { name: 'a session', as: 'ada', target, ours: 200, reached: `kubernetes GET ${target.slice('/api/k8s'.length)}` },
  ]),
  { name: 'the site', target: '/', headers: [page], ours: 200 },
  { name: 'health', target: '/health', ours: 200, differs: { body: 'health' } },
  { name: 'a websocket without a session', target: wss, isSocket: true, headers: [origin, binary], ours: 401 },
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
  { name: 'namespaces without a session', target: '/api/k8s/api/v1/namespaces', ours: 401 },
  {
    name: 'namespaces',
    as: 'bea',
    target: '/api/k8s/api/v1/namespaces',
    ours: 200,
    reached: 'namespaceLister GET /api/v1/namespaces',
  },
  {
    name: 'namespaces with a trailing slash',
    as: 'ada',
    target: '/api/k8s/api/v1/namespaces/',
    ours: 200,
    reached: 'namespaceLister GET /api/v1/namespaces',
  },
  {
    name: 'namespaces, page by page',
    as: 'ada',
    target: '/api/k8s/api/v1/namespaces?limit=5',
    ours: 200,
    reached: 'namespaceLister GET /api/v1/namespaces',
    differs: { reached: 'namespaces' },
  },
  {
    name: 'namespaces by label',
    as: 'ada',
    target: '/api/k8s/api/v1/namespaces?labelSelector=a%3Db',
    ours: 200,
    reached: 'namespaceLister GET /api/v1/namespaces',
    differs: { reached: 'namespaces' },
  },
  ...['watch=1', 'watch=true'].map((query): Request => ({
    name: 'a watch of namespaces',
    as: 'ada',
    target: `/api/k8s/api/v1/namespaces?${query}`,
    ours: 405,
    differs: { status: 'namespaces', body: 'namespaces', reached: 'namespaces', identity: 'namespaces' },
  })),
  {
    name: 'a websocket that watches namespaces',
    as: 'ada',
    target: '/wss/k8s/api/v1/namespaces?watch=true',
    isSocket: true,
    headers: [origin],
    ours: 405,
    differs: { status: 'namespaces', body: 'namespaces', reached: 'namespaces', identity: 'namespaces' },
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
    ours: 200,
    reached: 'kubernetes GET /api/v1/namespaces/a',
  },
]

const plugins: Request[] = [
  { name: 'an archive without a session', target: '/api/k8s/plugins/kubearchive/livez', ours: 401 },
  ...['/livez', '/apis/tekton.dev/v1/namespaces/a/pipelineruns?limit=2'].map((path): Request => ({
    name: 'KubeArchive',
    as: 'bea',
    target: `/api/k8s/plugins/kubearchive${path}`,
    ours: 200,
    reached: `kubeArchive GET ${path}`,
  })),
  {
    name: 'Tekton Results',
    as: 'bea',
    target: `/api/k8s/plugins/tekton-results${results}?page_size=2`,
    ours: 200,
    reached: `tektonResults GET ${results}?page_size=2`,
  },
  {
    ...podsPost,
    name: 'a write to an archive',
    target: '/api/k8s/plugins/kubearchive/api/v1/namespaces/a/pods',
    ours: 405,
    reached: undefined,
    differs: { status: 'resultsOnly', body: 'resultsOnly', reached: 'resultsOnly', identity: 'resultsOnly' },
  },
  {
    name: 'another path of Tekton Results',
    as: 'ada',
    target: '/api/k8s/plugins/tekton-results/healthz',
    ours: 404,
    differs: { status: 'resultsOnly', body: 'resultsOnly', reached: 'resultsOnly', identity: 'resultsOnly' },
  },
]

const bearers: Request[] = [
  {
    name: 'a token of our client',
    token: 'ada',
    target: secrets,
    ours: 200,
    reached: 'kubernetes GET /api/v1/namespaces/a/secrets',
  },
  { ...podsPost, name: 'a write with a token, not from a page', as: undefined, token: 'ada', headers: [jsonType] },
  { ...socket, name: 'a websocket with a token, not from a page', as: undefined, token: 'ada', headers: [binary] },
  { name: 'a token of another client', token: 'other', target: secrets, ours: 401 },
  { name: 'a forged token', token: 'forged', target: secrets, ours: 401 },
  { name: 'the user of a token', token: 'ada', target: '/oauth2/auth', ours: 202, differs: { setHeaders: 'userName' } },
  {
    name: 'a forged token with a cookie',
    as: 'ada',
    token: 'forged',
    target: secrets,
    ours: 401,
    differs: { status: 'tokenCounts', body: 'tokenCounts', reached: 'tokenCounts', identity: 'tokenCounts' },
  },
  {
    name: 'a password with a cookie',
    as: 'ada',
    headers: [['Authorization', 'Basic YTpi']],
    target: secrets,
    ours: 401,
    differs: { status: 'tokenCounts', body: 'tokenCounts', reached: 'tokenCounts', identity: 'tokenCounts' },
  },
]

const pageRule = { status: 'ownPage', body: 'ownPage', reached: 'ownPage', identity: 'ownPage' } as const
const socketRule = { status: 'ownSocket', body: 'ownSocket', reached: 'ownSocket', identity: 'ownSocket' } as const
const refusedWrite = { ...podsPost, ours: 403, reached: undefined, differs: pageRule }

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
  { ...refusedWrite, name: 'a form', headers: [...fromOurPage, ['Content-Type', 'text/plain']], ours: 415 },
  {
    ...socket,
    name: 'a websocket from another site',
    headers: [['Origin', 'https://evil.example'], binary],
    ours: 403,
    reached: undefined,
    differs: socketRule,
  },
  {
    ...socket,
    name: 'a websocket with a cookie but without an origin',
    headers: [binary],
    ours: 403,
    reached: undefined,
    differs: socketRule,
  },
  {
    ...socket,
    name: 'a subprotocol with a token',
    headers: [origin, ['Sec-WebSocket-Protocol', `base64url.bearer.authorization.k8s.io.${hostileMark}, ${binary[1]}`]],
    differs: { body: 'subprotocol', reached: 'subprotocol', smuggled: 'subprotocol' },
  },
  {
    ...socket,
    name: 'another subprotocol',
    headers: [origin, ['Sec-WebSocket-Protocol', 'v4.channel.k8s.io']],
    ours: 400,
    reached: undefined,
    differs: { status: 'subprotocol', body: 'subprotocol', reached: 'subprotocol', identity: 'subprotocol' },
  },
]

const answers: Request[] = [
  {
    name: 'an upstream that redirects',
    as: 'ada',
    target: secrets,
    upstreamResponse: json({ kind: 'Status' }, 302, { location: 'http://169.254.169.254/' }),
    ours: 502,
    reached: 'kubernetes GET /api/v1/namespaces/a/secrets',
    differs: { status: 'upstreamErrors', redirect: 'upstreamErrors' },
  },
  {
    name: 'an upstream that rejects the gateway',
    as: 'ada',
    target: secrets,
    upstreamResponse: json({ kind: 'Status' }, 401),
    ours: 502,
    reached: 'kubernetes GET /api/v1/namespaces/a/secrets',
    differs: { status: 'upstreamErrors' },
  },
  {
    name: 'an archive that denies access',
    as: 'ada',
    target: '/api/k8s/plugins/kubearchive/apis/tekton.dev/v1/namespaces/a/pipelineruns',
    upstreamResponse: json({ message: 'no' }, 401),
    ours: 403,
    reached: 'kubeArchive GET /apis/tekton.dev/v1/namespaces/a/pipelineruns',
    differs: { status: 'upstreamErrors' },
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
    ours: 200,
    reached: 'kubernetes GET /api/v1/namespaces/a/secrets',
    differs: { setHeaders: 'answers' },
  },
]

export const apiRequests: Request[] = [suite, namespaces, plugins, bearers, otherSites, answers].flat()
