import { fromOurPage, hostileMark, jsonType, type Person, type Request } from './request'

/** Headers that a client could send to claim another identity. */
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
const claimHeaders = (names: string[]) =>
  names.map((name): [string, string] => [name, `${hostileMark}-${name.toLowerCase()}`])
/** Whether repeating the header is rejected. */
const isSingle = (name: string) => /^impersonate-(user|uid)$/i.test(name)

interface Way extends Pick<Request, 'method' | 'target' | 'headers' | 'body' | 'isSocket' | 'status'> {
  reached: string
}
const results = '/apis/results.tekton.dev/v1alpha2/parents/a/results/-/records'
const ways: Record<string, Way> = {
  'a GET': {
    target: '/api/k8s/api/v1/namespaces/a/pods',
    status: 200,
    reached: 'kubernetes GET /api/v1/namespaces/a/pods',
  },
  'a POST': {
    method: 'POST',
    target: '/api/k8s/api/v1/namespaces/a/pods',
    headers: [...fromOurPage, jsonType],
    body: '{}',
    status: 200,
    reached: 'kubernetes POST /api/v1/namespaces/a/pods',
  },
  'a websocket': {
    target: '/wss/k8s/api/v1/namespaces/a/pods?watch=1',
    headers: [['Origin', '{origin}']],
    isSocket: true,
    status: 101,
    reached: 'kubernetes GET /api/v1/namespaces/a/pods?watch=1',
  },
  'the websocket of a plugin': {
    target: '/wss/k8s/plugins/views/v1/socket',
    headers: [['Origin', '{origin}']],
    isSocket: true,
    status: 101,
    reached: 'views GET /v1/socket',
  },
  'the list of namespaces': {
    target: '/api/k8s/api/v1/namespaces',
    status: 200,
    reached: 'namespaceLister GET /api/v1/namespaces',
  },
  'Tekton Results': {
    target: `/api/k8s/plugins/tekton-results${results}`,
    status: 200,
    reached: `tektonResults GET ${results}`,
  },
  KubeArchive: {
    target: '/api/k8s/plugins/kubearchive/api/v1/namespaces/a/pods',
    status: 200,
    reached: 'kubeArchive GET /api/v1/namespaces/a/pods',
  },
}

const requestClaiming = (way: string, as: Person, what: string, headers: [string, string][]): Request => {
  const { headers: usual = [], ...rest } = ways[way] ?? { target: '/', status: 200, reached: '' }
  return { name: `${way} that claims ${what}`, as, ...rest, headers: [...usual, ...headers] }
}
const refused = { status: 400, reached: undefined }

const each = Object.keys(ways).flatMap((way): Request[] => [
  requestClaiming(way, 'ada', 'everything', claimHeaders(claims)),
  requestClaiming(way, 'bea', 'everything in upper case', claimHeaders(claims.map((name) => name.toUpperCase()))),
  requestClaiming(way, 'bea', 'everything in lower case', claimHeaders(claims.map((name) => name.toLowerCase()))),
  requestClaiming(
    way,
    'ada',
    'most headers twice',
    claimHeaders(claims.filter((name) => !isSingle(name)).flatMap((name) => [name, name])),
  ),
  requestClaiming(way, 'cyd', 'nothing, for a user with hostile groups', []),
])

const nobody: Request[] = [
  '/api/k8s/api/v1/secrets',
  '/api/k8s/api/v1/namespaces',
  '/oauth2/userinfo',
  '/oauth2/auth',
].map((target) => ({
  name: 'a request without a session that claims everything',
  target,
  headers: claimHeaders(claims),
  status: 401,
}))

const odd: Request[] = [
  ...['Impersonate-User', 'Impersonate-Uid'].map((name): Request => ({
    ...requestClaiming('a GET', 'ada', `${name} twice`, claimHeaders([name, name])),
    ...refused,
  })),
  ...['Impersonate_User', 'X_Auth_Request_Groups', 'X_User', 'X_Remote_User'].map((name): Request => ({
    ...requestClaiming('a GET', 'ada', `an identity with ${name}`, claimHeaders([name])),
    ...refused,
  })),
  // The auth step returns no groups for Ada, so a client's claim about them might be kept.
  requestClaiming('a GET', 'ada', 'groups of its own', [['X-Auth-Request-Groups', `system:masters,${hostileMark}`]]),
]

/** Every proxy that forwards a request drops the headers that Connection names. */
const connection = [
  'Impersonate-User',
  'Impersonate-User, Impersonate-Group',
  'Cookie',
  'X-Auth-Request-Email',
  'X-Auth-Request-Groups',
  'Authorization',
]
const onConnection: Request[] = [
  ...connection.map((names) =>
    requestClaiming('a GET', 'bea', `with Connection: ${names}`, [['Connection', `keep-alive, ${names}`]]),
  ),
  requestClaiming('the list of namespaces', 'bea', 'with Connection: X-User, X-Group', [
    ['Connection', 'X-User, X-Group'],
  ]),
]

export const headerRequests: Request[] = [...each, ...nobody, ...odd, ...onConnection]
