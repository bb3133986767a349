import type { Reason } from './reasons'
import { fromOurPage, type Request } from './request'

const all = (reason: Reason) => ({ status: reason, body: reason, reached: reason, identity: reason })
const page: [string, string] = ['Accept', 'text/html']

/** Ambiguous targets that programs interpret differently. Those that both sides reject have no `differs`. */
const ambiguousTargets: [target: string, differs?: Request['differs']][] = [
  ['/api/k8s/plugins/../api/v1/secrets', all('unambiguousPath')],
  ['/api/k8s/plugins/kubearchive/../../api/v1/secrets', all('unambiguousPath')],
  ['/api/k8s/plugins/%2e%2e/api/v1/secrets', all('unambiguousPath')],
  ['/api/k8s/api/v1/namespaces/a%2fb/secrets', all('unambiguousPath')],
  ['/api/k8s%2fapi/v1/secrets'],
  ['/api/k8s//api/v1/namespaces', all('unambiguousPath')],
  ['/api/k8s/api/v1//namespaces', all('unambiguousPath')],
  ['//api/k8s/api/v1/namespaces', all('unambiguousPath')],
  ['/api/k8s/api/v1/namespaces/.', all('unambiguousPath')],
  ['/api/k8s/api/v1/./namespaces', all('unambiguousPath')],
  ['/api/k8s/api/v1/namespaces%2f', all('unambiguousPath')],
  ['/api/k8s/api/v1/%6eamespaces', all('unambiguousPath')],
  ['/api/k8s/api/v1/namespaces;a=b', all('unambiguousPath')],
  ['/api/k8s/api/v1/namespaces%3b', all('unambiguousPath')],
  ['/api/k8s/api\\v1\\secrets', all('unambiguousPath')],
  ['/api/k8s/api/v1/namespaces/a%5c..%5cb', all('unambiguousPath')],
  ['/api/k8s/api/v1/namespaces/a%00', all('unambiguousPath')],
  ['/api/k8s/api/v1/namespaces/a%0d%0aX-User:%20b', all('unambiguousPath')],
  ['/api/k8s/api/v1/namespaces/%ff', all('unambiguousPath')],
  ['/api/k8s/api/v1/namespaces/a%252fb', all('unambiguousPath')],
  ['/api/k8s/api/v1/namespaces/%zz'],
  ['/oauth2/../api/k8s/api/v1/secrets', all('unambiguousPath')],
  ['/wss/k8s/../../api/k8s/api/v1/secrets', all('unambiguousPath')],
  ['/api/k8s/api/v1/secrets?a=%zz', all('unambiguousPath')],
]

const blocked: Request[] = [
  '/api/v1/namespaces/a/services/b:80/proxy/admin',
  '/api/v1/nodes/a/proxy/pods',
  '/api/v1/namespaces/a/pods/b/exec?command=sh',
  '/api/v1/namespaces/a/pods/b/attach',
  '/api/v1/namespaces/a/pods/b/portforward',
].flatMap((path): Request[] => [
  { name: 'access behind the cluster', as: 'ada', target: `/api/k8s${path}`, ours: 403, differs: all('apiOnly') },
  {
    name: 'access behind the cluster over a websocket',
    as: 'ada',
    target: `/wss/k8s${path}`,
    isSocket: true,
    headers: [['Origin', '{origin}']],
    ours: 403,
    differs: all('apiOnly'),
  },
])

const notApi: Request[] = ['/metrics', '/logs/kubelet.log', '/debug/pprof/profile', '/'].map((path) => ({
  name: 'a path outside the API',
  as: 'ada',
  target: `/api/k8s${path}`,
  ours: 404,
  differs: all('apiOnly'),
}))

const same: Request[] = [
  '/api/v1/namespaces/a/pods/b/log?container=c&follow=true',
  '/api/v1/namespaces/a/pods?labelSelector=a%2Fb%3Dc,d!%3De&limit=500&continue=x%3D%3D',
  '/apis/tekton.dev/v1/namespaces/a/taskruns/b%20c',
  '/apis/tekton.dev/v1/namespaces/a/taskruns/%C3%A9',
  '/apis/tekton.dev/v1/namespaces/a/taskruns/a:b@c',
  '/api/v1/namespaces/a/pods/',
  '/openapi/v3',
  '/version',
].map((path) => ({
  name: 'forwarded unchanged',
  as: 'ada',
  target: `/api/k8s${path}`,
  ours: 200,
  reached: `kubernetes GET ${path}`,
}))

const methods: Request[] = [
  ...['PUT', 'PATCH', 'DELETE'].map((method): Request => ({
    name: 'a write by the console',
    as: 'bea',
    method,
    target: '/api/k8s/api/v1/namespaces/a/configmaps/b?dryRun=All',
    headers: [...fromOurPage, ['Content-Type', 'application/merge-patch+json']],
    body: '{}',
    ours: 200,
    reached: `kubernetes ${method} /api/v1/namespaces/a/configmaps/b?dryRun=All`,
  })),
  ...['{origin}', 'http://evil.example'].map((prefix): Request => ({
    name: 'a target in absolute form',
    as: 'ada',
    target: `${prefix}/api/k8s/api/v1/secrets`,
    ours: 400,
    differs: all('unambiguousPath'),
  })),
  {
    name: 'a GET with a body',
    as: 'ada',
    target: '/api/k8s/version',
    body: '{}',
    ours: 400,
    differs: all('oneMethod'),
  },
  ...['HEAD', 'OPTIONS', 'TRACE'].map((method): Request => ({
    name: 'another method',
    as: 'ada',
    method,
    target: '/api/k8s/version',
    ours: 405,
    differs: all('oneMethod'),
  })),
  {
    name: 'a websocket outside /wss',
    as: 'ada',
    target: '/api/k8s/api/v1/namespaces/a/pods?watch=true',
    isSocket: true,
    headers: [['Origin', '{origin}']],
    ours: 404,
    differs: all('socketsApart'),
  },
  {
    name: 'a plain request below /wss',
    as: 'ada',
    target: '/wss/k8s/api/v1/pods',
    ours: 404,
    differs: all('socketsApart'),
  },
  {
    name: 'another host',
    as: 'ada',
    target: '/api/k8s/version',
    headers: [['Host', 'evil.example']],
    ours: 400,
    differs: all('ownHost'),
  },
  {
    name: 'the site by another host',
    target: '/',
    headers: [['Host', 'evil.example'], page],
    ours: 400,
    differs: { status: 'ownHost', body: 'ownHost' },
  },
]

const site: Request[] = [
  { name: 'a page of the console', target: '/ns/a/applications?name=b', headers: [page], ours: 200 },
  { name: 'a file', target: '/favicon.svg', ours: 200 },
  {
    name: 'a missing file without navigation',
    target: '/missing.json',
    ours: 404,
    differs: { status: 'notFound', body: 'notFound' },
  },
  {
    name: 'a missing script',
    target: '/assets/missing.js',
    headers: [page],
    ours: 404,
    differs: { status: 'notFound', body: 'notFound' },
  },
  {
    name: 'another API',
    as: 'ada',
    target: '/api/other',
    headers: [page],
    ours: 404,
    differs: { status: 'notFound', body: 'notFound' },
  },
  {
    name: 'another websocket',
    as: 'ada',
    target: '/wss/other',
    headers: [page],
    ours: 404,
    differs: { status: 'notFound', body: 'notFound' },
  },
  {
    name: 'the API in upper case',
    as: 'ada',
    target: '/API/K8S/api/v1/secrets',
    ours: 404,
    differs: all('unambiguousPath'),
  },
  { name: 'a write to the site', as: 'ada', method: 'POST', target: '/ns/a', ours: 404 },
]

export const pathRequests: Request[] = [
  ...ambiguousTargets.map(([target, differs]): Request => ({
    name: 'ambiguous target',
    as: 'ada',
    target,
    ours: 400,
    differs,
  })),
  ...blocked,
  ...notApi,
  ...same,
  ...methods,
  ...site,
]
