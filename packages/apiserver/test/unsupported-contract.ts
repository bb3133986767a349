import { beforeAll, describe, expect, it as itAnywhere } from 'vitest'
import { apiOf, type Api, type Json, type Target } from './api-client'
import { aNamespace, aPod } from './api-fixtures'
import { itOn } from './embedded-only'

/** Kubernetes API groups that are not served here, each with one of its kinds. */
const groups: [string, string, string][] = [
  ['admissionregistration.k8s.io', 'v1', 'validatingwebhookconfigurations'],
  ['apiregistration.k8s.io', 'v1', 'apiservices'],
  ['apps', 'v1', 'deployments'],
  ['autoscaling', 'v2', 'horizontalpodautoscalers'],
  ['batch', 'v1', 'jobs'],
  ['certificates.k8s.io', 'v1', 'certificatesigningrequests'],
  ['discovery.k8s.io', 'v1', 'endpointslices'],
  ['flowcontrol.apiserver.k8s.io', 'v1', 'flowschemas'],
  ['metrics.k8s.io', 'v1beta1', 'pods'],
  ['networking.k8s.io', 'v1', 'networkpolicies'],
  ['node.k8s.io', 'v1', 'runtimeclasses'],
  ['policy', 'v1', 'poddisruptionbudgets'],
  ['resource.k8s.io', 'v1', 'resourceclaims'],
  ['scheduling.k8s.io', 'v1', 'priorityclasses'],
  ['storage.k8s.io', 'v1', 'storageclasses'],
  ['storagemigration.k8s.io', 'v1', 'storageversionmigrations'],
]
const coreKinds = [
  'bindings',
  'componentstatuses',
  'endpoints',
  'nodes',
  'persistentvolumes',
  'podtemplates',
  'replicationcontrollers',
  'resourcequotas',
  'services',
]
const ofPods = ['attach', 'binding', 'ephemeralcontainers', 'eviction', 'exec', 'portforward', 'proxy', 'resize']
const paths = ['/metrics', '/debug/pprof', '/logs', '/configz']
/** Not served by Kubernetes either. */
const unknownPaths = ['/apis/contract.test/v9', '/swaggerapi']

/** Kubernetes APIs that this server does not have: rejected with a Status, and absent from discovery. */
export function unsupportedContract(target: () => Target): void {
  const it = itOn(target, 'Deployments, jobs, services, nodes, quotas and so on are not served')
  let api: Api
  let pods: string
  beforeAll(async () => {
    api = apiOf(target())
    pods = `${(await aNamespace(api)).path}/pods`
    await api.post(pods, aPod('p'))
  })

  const errorOf = async (method: string, path: string, body?: object) => {
    const response = await api.call(method, path, { ...(body && { body }) })
    return [response.code, response.body.kind, response.body.status, response.body.reason, response.body.code]
  }
  const statusNotFound = [404, 'Status', 'Failure', 'NotFound', 404]

  const pageNotFound = [404, undefined, undefined, undefined, undefined]

  const kinds: [string, string][] = [
    ...groups.map(([group, version, plural]): [string, string] => [plural, `/apis/${group}/${version}`]),
    ...coreKinds.map((plural): [string, string] => [plural, '/api/v1']),
  ]
  it.each(kinds)('does not serve %s of %s', async (plural, version) => {
    const body = { metadata: { name: 'x' } }
    for (const place of [plural, `namespaces/default/${plural}`]) {
      const at = `${version}/${place}`
      const notFound = version === '/api/v1' ? statusNotFound : pageNotFound
      expect(await errorOf('GET', at)).toEqual(notFound)
      expect(await errorOf('GET', `${at}?watch=true`)).toEqual(notFound)
      expect(await errorOf('POST', at, body)).toEqual(notFound)
      expect(await errorOf('DELETE', at)).toEqual(notFound)
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        expect(await errorOf(method, `${at}/x`, method === 'GET' ? undefined : body)).toEqual(notFound)
      }
    }
  })

  it.each(ofPods)('does not serve the pod subresource %s', async (subresource) => {
    expect(await errorOf('GET', `${pods}/p/${subresource}`)).toEqual(statusNotFound)
    expect(await errorOf('POST', `${pods}/p/${subresource}`, { metadata: { name: 'p' } })).toEqual(statusNotFound)
    const socket = api.socket(`${pods}/p/${subresource}?command=sh`, { protocols: ['v5.channel.k8s.io'] })
    await expect(socket).rejects.toMatchObject({ body: { kind: 'Status' } })
  })

  it.each(paths)('returns 404 at %s', async (path) => {
    expect(await errorOf('GET', path)).toEqual(pageNotFound)
  })

  itAnywhere.each(unknownPaths)('returns 404 at %s', async (path) => {
    expect(await errorOf('GET', path)).toEqual(pageNotFound)
  })

  itAnywhere.each([
    ['application/cbor', 'CBOR'],
    ['application/apply-patch+cbor', 'a patch in CBOR'],
    ['application/vnd.kubernetes.protobuf', 'what should be protobuf'],
  ])('rejects a body of %s: %s', async (type) => {
    const method = type.includes('patch') ? 'PATCH' : 'POST'
    const path = method === 'POST' ? pods.replace('pods', 'events') : `${pods}/p?fieldManager=contract`
    const { code, body } = await api.call(method, path, { body: Buffer.from([0x6b, 0x38, 0x73, 0, 0xa0]), type })
    expect([[400, 415].includes(code), body.kind]).toEqual([true, 'Status'])
  })

  const isNotAvailableAs = async (accept: string) => {
    const { code, body } = await api.call('GET', pods, { headers: { accept } })
    expect([code, body.kind, body.reason]).toEqual([406, 'Status', 'NotAcceptable'])
  }
  itAnywhere.each(['application/cbor', 'application/msgpack'])('does not respond with %s', isNotAvailableAs)

  describe('discovery', () => {
    const names = (list: Json[]): string[] => list.map(({ name }) => name)

    it('lists none of them', async () => {
      const left = groups.map(([group]) => group)
      const { body: listed } = await api.get('/apis')
      const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
      const { body: whole } = await api.call('GET', '/apis', { headers: { accept } })
      const { body: core } = await api.call('GET', '/api', { headers: { accept } })
      const { body: index } = await api.get('/openapi/v3')
      const documented = Object.keys(index.paths).map((path) => path.split('/')[1])
      for (const found of [names(listed.groups), whole.items.map(({ metadata }: Json) => metadata.name), documented]) {
        expect(found).toContain('rbac.authorization.k8s.io')
        expect(found.filter((group: string) => left.includes(group))).toEqual([])
      }
      const { body: resources } = await api.get('/api/v1')
      const aggregated = core.items[0].versions[0].resources.flatMap(({ resource, subresources = [] }: Json) => [
        resource,
        ...subresources.map(({ subresource }: Json) => `${resource}/${subresource}`),
      ])
      for (const found of [names(resources.resources), aggregated]) {
        expect(found).toEqual(expect.arrayContaining(['pods', 'pods/log']))
        const unserved = [...coreKinds, ...ofPods.map((subresource) => `pods/${subresource}`)]
        expect(found.filter((name: string) => unserved.includes(name))).toEqual([])
      }
      const { body: document } = await api.get('/openapi/v2')
      const unserved = [...coreKinds.map((kind) => `/${kind}`), ...ofPods.map((part) => `/pods/{name}/${part}`)]
      const parts = [...left.map((group) => `/apis/${group}/`), ...unserved]
      const toldPaths = Object.keys(document.paths)
      expect(toldPaths.length).toBeGreaterThan(10)
      expect(
        toldPaths.filter((path) => parts.some((part) => path.endsWith(part) || path.includes(`${part}/`))),
      ).toEqual([])
    })

    itAnywhere('lists nothing that returns 404', async () => {
      const { body: listed } = await api.get('/apis')
      const versions = [
        '/api/v1',
        ...listed.groups.map(({ preferredVersion }: Json) => `/apis/${preferredVersion.groupVersion}`),
      ]
      for (const version of versions) {
        const { code, body } = await api.get(version)
        expect([version, code, body.kind]).toEqual([version, 200, 'APIResourceList'])
        for (const { name, verbs } of body.resources) {
          if (name.includes('/') || !verbs.includes('list')) continue
          expect([name, (await api.get(`${version}/${name}?limit=1`)).code]).toEqual([name, 200])
        }
      }
    })
  })
}
