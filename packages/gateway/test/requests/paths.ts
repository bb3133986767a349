import { fromOurPage, type Request } from './request'

const page: [string, string] = ['Accept', 'text/html']

/** Targets that programs interpret differently. */
const ambiguousTargets = [
  '/api/k8s/plugins/../api/v1/secrets',
  '/api/k8s/plugins/kubearchive/../../api/v1/secrets',
  '/api/k8s/plugins/%2e%2e/api/v1/secrets',
  '/api/k8s/api/v1/namespaces/a%2fb/secrets',
  '/api/k8s%2fapi/v1/secrets',
  '/api/k8s//api/v1/namespaces',
  '/api/k8s/api/v1//namespaces',
  '//api/k8s/api/v1/namespaces',
  '/api/k8s/api/v1/namespaces/.',
  '/api/k8s/api/v1/./namespaces',
  '/api/k8s/api/v1/namespaces%2f',
  '/api/k8s/api/v1/%6eamespaces',
  '/api/k8s/api/v1/namespaces;a=b',
  '/api/k8s/api/v1/namespaces%3b',
  '/api/k8s/api\\v1\\secrets',
  '/api/k8s/api/v1/namespaces/a%5c..%5cb',
  '/api/k8s/api/v1/namespaces/a%00',
  '/api/k8s/api/v1/namespaces/a%0d%0aX-User:%20b',
  '/api/k8s/api/v1/namespaces/%ff',
  '/api/k8s/api/v1/namespaces/a%252fb',
  '/api/k8s/api/v1/namespaces/%zz',
  '/oauth2/../api/k8s/api/v1/secrets',
  '/wss/k8s/../../api/k8s/api/v1/secrets',
  '/wss/k8s/plugins/views/../../api/v1/secrets',
  '/wss/k8s/plugins/views/v1/%2e%2e/livez',
  '/api/k8s/api/v1/secrets?a=%zz',
]

const blocked: Request[] = [
  '/api/v1/namespaces/a/services/b:80/proxy/admin',
  '/api/v1/nodes/a/proxy/pods',
  '/api/v1/namespaces/a/pods/b/exec?command=sh',
  '/api/v1/namespaces/a/pods/b/attach',
  '/api/v1/namespaces/a/pods/b/portforward',
].flatMap((path): Request[] => [
  { name: 'access behind the cluster', as: 'ada', target: `/api/k8s${path}`, status: 403 },
  {
    name: 'access behind the cluster over a websocket',
    as: 'ada',
    target: `/wss/k8s${path}`,
    isSocket: true,
    headers: [['Origin', '{origin}']],
    status: 403,
  },
])

const notApi: Request[] = ['/metrics', '/logs/kubelet.log', '/debug/pprof/profile', '/'].map((path) => ({
  name: 'a path outside the API',
  as: 'ada',
  target: `/api/k8s${path}`,
  status: 404,
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
  status: 200,
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
    status: 200,
    reached: `kubernetes ${method} /api/v1/namespaces/a/configmaps/b?dryRun=All`,
  })),
  ...['{origin}', 'http://evil.example'].map((prefix): Request => ({
    name: 'a target in absolute form',
    as: 'ada',
    target: `${prefix}/api/k8s/api/v1/secrets`,
    status: 400,
  })),
  {
    name: 'a GET with a body',
    as: 'ada',
    target: '/api/k8s/version',
    body: '{}',
    status: 400,
  },
  ...['HEAD', 'OPTIONS', 'TRACE'].map((method): Request => ({
    name: 'another method',
    as: 'ada',
    method,
    target: '/api/k8s/version',
    status: 405,
  })),
  {
    name: 'a websocket outside /wss',
    as: 'ada',
    target: '/api/k8s/api/v1/namespaces/a/pods?watch=true',
    isSocket: true,
    headers: [['Origin', '{origin}']],
    status: 404,
  },
  {
    name: 'a plain request below /wss',
    as: 'ada',
    target: '/wss/k8s/api/v1/pods',
    status: 404,
  },
  {
    name: 'another host',
    as: 'ada',
    target: '/api/k8s/version',
    headers: [['Host', 'evil.example']],
    status: 400,
  },
  {
    name: 'the site by another host',
    target: '/',
    headers: [['Host', 'evil.example'], page],
    status: 400,
  },
]

const site: Request[] = [
  { name: 'a page of the console', target: '/ns/a/applications?name=b', headers: [page], status: 200 },
  { name: 'a file', target: '/favicon.svg', status: 200 },
  {
    name: 'a missing file without navigation',
    target: '/missing.json',
    status: 404,
  },
  {
    name: 'a missing script',
    target: '/assets/missing.js',
    headers: [page],
    status: 404,
  },
  {
    name: 'another API',
    as: 'ada',
    target: '/api/other',
    headers: [page],
    status: 404,
  },
  {
    name: 'another websocket',
    as: 'ada',
    target: '/wss/other',
    headers: [page],
    status: 404,
  },
  {
    name: 'the API in upper case',
    as: 'ada',
    target: '/API/K8S/api/v1/secrets',
    status: 404,
  },
  { name: 'a write to the site', as: 'ada', method: 'POST', target: '/ns/a', status: 404 },
]

export const pathRequests: Request[] = [
  ...ambiguousTargets.map((target): Request => ({
    name: 'ambiguous target',
    as: 'ada',
    target,
    status: 400,
  })),
  ...blocked,
  ...notApi,
  ...same,
  ...methods,
  ...site,
]
