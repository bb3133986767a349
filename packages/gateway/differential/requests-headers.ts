import { fromOurPage, hostileMark, jsonType, type Person, type Request } from './request'

/** What a client could say of itself, or of the way it came, to be taken for somebody else. */
const claims = [
  'Impersonate-User',
  'Impersonate-Group',
  'Impersonate-Uid',
  'Impersonate-Extra-Scopes',
  'X-User',
  'X-Group',
  'X-Auth-Request-User',
  'X-Auth-Request-Email',
  'X-Auth-Request-Groups',
  'X-Auth-Request-Preferred-Username',
  'X-Auth-Request-Access-Token',
  'X-Remote-User',
  'X-Remote-Group',
  'X-Remote-Extra-Scopes',
  'X-Forwarded-User',
  'X-Forwarded-Email',
  'X-Forwarded-Groups',
  'X-Forwarded-Access-Token',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Real-Ip',
  'Forwarded',
  'Proxy-Authorization',
]
const saying = (names: string[]) =>
  names.map((name): [string, string] => [name, `${hostileMark}-${name.toLowerCase()}`])
/** Of these a second one is refused, whoever sends it. */
const isSingle = (name: string) => /^impersonate-(user|uid)$/i.test(name)

interface Way extends Pick<Request, 'method' | 'target' | 'headers' | 'body' | 'isSocket' | 'ours'> {
  reached: string
}
const results = '/apis/results.tekton.dev/v1alpha2/parents/a/results/-/records'
const ways: Record<string, Way> = {
  'a GET': {
    target: '/api/k8s/api/v1/namespaces/a/pods',
    ours: 200,
    reached: 'kubernetes GET /api/v1/namespaces/a/pods',
  },
  'a POST': {
    method: 'POST',
    target: '/api/k8s/api/v1/namespaces/a/pods',
    headers: [...fromOurPage, jsonType],
    body: '{}',
    ours: 200,
    reached: 'kubernetes POST /api/v1/namespaces/a/pods',
  },
  'a websocket': {
    target: '/wss/k8s/api/v1/namespaces/a/pods?watch=1',
    headers: [['Origin', '{origin}']],
    isSocket: true,
    ours: 101,
    reached: 'kubernetes GET /api/v1/namespaces/a/pods?watch=1',
  },
  'the list of namespaces': {
    target: '/api/k8s/api/v1/namespaces',
    ours: 200,
    reached: 'namespaceLister GET /api/v1/namespaces',
  },
  'Tekton Results': {
    target: `/api/k8s/plugins/tekton-results${results}`,
    ours: 200,
    reached: `tektonResults GET ${results}`,
  },
  KubeArchive: {
    target: '/api/k8s/plugins/kubearchive/api/v1/namespaces/a/pods',
    ours: 200,
    reached: 'kubeArchive GET /api/v1/namespaces/a/pods',
  },
}

const claimed = (way: string, as: Person, what: string, headers: [string, string][]): Request => {
  const { headers: usual = [], ...rest } = ways[way] ?? { target: '/', ours: 200, reached: '' }
  return { name: `${way} that claims ${what}`, as, ...rest, headers: [...usual, ...headers] }
}
const refused = { ours: 400, reached: undefined }

const each = Object.keys(ways).flatMap((way): Request[] => [
  { ...claimed(way, 'ada', 'everything', saying(claims)), differs: { smuggled: 'allowList' } },
  {
    ...claimed(way, 'bea', 'everything in capitals', saying(claims.map((name) => name.toUpperCase()))),
    differs: { smuggled: 'allowList' },
  },
  {
    ...claimed(way, 'bea', 'everything in small letters', saying(claims.map((name) => name.toLowerCase()))),
    differs: { smuggled: 'allowList' },
  },
  {
    ...claimed(
      way,
      'ada',
      'much of it twice',
      saying(claims.filter((name) => !isSingle(name)).flatMap((name) => [name, name])),
    ),
    differs: { smuggled: 'allowList' },
  },
  { ...claimed(way, 'cyd', 'nothing, of somebody with hostile groups', []), differs: { identity: 'systemNames' } },
])

const nobody: Request[] = [
  '/api/k8s/api/v1/secrets',
  '/api/k8s/api/v1/namespaces',
  '/oauth2/userinfo',
  '/oauth2/auth',
].map((target) => ({ name: 'nobody who claims everything', target, headers: saying(claims), ours: 401 }))

const twice = { answer: 'twice', body: 'twice', reached: 'twice', identity: 'twice' } as const
const odd: Request[] = [
  ...['Impersonate-User', 'Impersonate-Uid'].map((name): Request => ({
    ...claimed('a GET', 'ada', `${name} twice`, saying([name, name])),
    ...refused,
    differs: twice,
  })),
  ...['Impersonate_User', 'X_Auth_Request_Groups', 'X_User', 'X_Remote_User'].map((name): Request => ({
    ...claimed('a GET', 'ada', `something by ${name}`, saying([name])),
    ...refused,
    differs: twice,
  })),
  // The auth step says nothing of groups for Ada, so that what a client says of them could be left standing.
  { ...claimed('a GET', 'ada', 'groups of its own', [['X-Auth-Request-Groups', `system:masters,${hostileMark}`]]) },
]

/** Headers that Connection names are dropped by each proxy that sends a request on. */
const connection: [names: string, differs?: Request['differs']][] = [
  ['Impersonate-User', { identity: 'connection' }],
  ['Impersonate-User, Impersonate-Group', { identity: 'connection' }],
  ['Cookie', { answer: 'connection', body: 'connection', reached: 'connection', identity: 'connection' }],
  ['X-Auth-Request-Email'],
  ['X-Auth-Request-Groups'],
  ['Authorization'],
]
const onConnection: Request[] = [
  ...connection.map(([names, differs]) => ({
    ...claimed('a GET', 'bea', `that ${names} is of this connection`, [['Connection', `keep-alive, ${names}`]]),
    differs,
  })),
  {
    ...claimed('the list of namespaces', 'bea', 'that its user is of this connection', [
      ['Connection', 'X-User, X-Group'],
    ]),
    differs: { identity: 'connection' },
  },
]

export const headerRequests: Request[] = [...each, ...nobody, ...odd, ...onConnection]
