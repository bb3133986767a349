import {
  ApiException,
  ApiextensionsV1Api,
  AuthenticationV1Api,
  AuthorizationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  RbacAuthorizationV1Api,
  setHeaderOptions,
  Watch,
  type KubernetesObject,
  type V1ConfigMap,
  type V1Secret,
} from '@kubernetes/client-node'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually, widgetDefinition } from './api-fixtures'

/** The server that the official client is tested against. */
export interface ClientNodeServer {
  /** An HTTPS URL. */
  url: string
  /** The certificate to trust, in PEM. */
  ca: string
  /** Token of a cluster administrator. */
  token: string
  /** Creates an object as the administrator, unmodified: the client renames the field `default` of a schema. */
  post(path: string, body: object): Promise<unknown>
}

/** @param token of the user; by default the administrator's */
export function configFor({ url, ca, token: own }: Omit<ClientNodeServer, 'post'>, token = own): KubeConfig {
  const config = new KubeConfig()
  config.loadFromClusterAndUser(
    { name: 'cluster', server: url, caData: Buffer.from(ca).toString('base64'), skipTLSVerify: false },
    { name: 'user', token },
  )
  return config
}

/** The status code of an error; `undefined` for a success. */
const codeOf = async (call: Promise<unknown>): Promise<number | undefined> => {
  const error: unknown = await call.then(
    () => undefined,
    (failure: unknown) => failure,
  )
  if (error !== undefined && !(error instanceof ApiException)) throw error
  return error?.code
}

/**
 * The official client, over TLS, with a certificate that it trusts and a token.
 * @param open called once, before the first test
 */
export function clientNodeSuite(open: () => Promise<ClientNodeServer>): void {
  let server: ClientNodeServer
  let config: KubeConfig
  let core: CoreV1Api
  let namespace: string
  const namespaces: string[] = []

  beforeAll(async () => {
    server = await open()
    config = configFor(server)
    core = config.makeApiClient(CoreV1Api)
    await server.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgetDefinition)
    const widgets = { group: 'contract.test', version: 'v1', plural: 'widgets' }
    const custom = config.makeApiClient(CustomObjectsApi)
    await eventually(async () => !(await codeOf(custom.listClusterCustomObject(widgets))))
  })
  afterAll(async () => {
    for (const name of namespaces) await core.deleteNamespace({ name })
    for (const name of namespaces) await eventually(async () => (await codeOf(core.readNamespace({ name }))) === 404)
    await config
      .makeApiClient(ApiextensionsV1Api)
      .deleteCustomResourceDefinition({ name: widgetDefinition.metadata.name })
  })
  beforeEach(async () => {
    namespace = `client-${namespaces.length}`
    namespaces.push(namespace)
    await core.createNamespace({ body: { metadata: { name: namespace } } })
    await eventually(async () => !(await codeOf(core.readNamespacedServiceAccount({ namespace, name: 'default' }))))
  })

  describe('the typed clients', () => {
    it('create, read, list, replace, patch and delete', async () => {
      const body: V1ConfigMap = { metadata: { name: 'settings', labels: { app: 'a' } }, data: { mode: 'fast' } }
      const created = await core.createNamespacedConfigMap({ namespace, body })
      expect(created.metadata?.creationTimestamp).toBeInstanceOf(Date)
      expect((await core.readNamespacedConfigMap({ namespace, name: 'settings' })).data).toEqual({ mode: 'fast' })
      const { items, metadata } = await core.listNamespacedConfigMap({ namespace, labelSelector: 'app=a', limit: 1 })
      expect([items.map((item) => item.metadata?.name), typeof metadata?.resourceVersion]).toEqual([
        ['settings'],
        'string',
      ])
      const replaced = { ...created, data: { mode: 'slow' } }
      await core.replaceNamespacedConfigMap({ namespace, name: 'settings', body: replaced })
      expect(await codeOf(core.replaceNamespacedConfigMap({ namespace, name: 'settings', body: replaced }))).toBe(409)
      const change = [{ op: 'add', path: '/data/more', value: '1' }]
      const patched = await core.patchNamespacedConfigMap({ namespace, name: 'settings', body: change })
      expect(patched.data).toEqual({ mode: 'slow', more: '1' })
      expect((await core.deleteNamespacedConfigMap({ namespace, name: 'settings' })).status).toBe('Success')
      expect(await codeOf(core.readNamespacedConfigMap({ namespace, name: 'settings' }))).toBe(404)
    })

    it.each<[PatchStrategy, object]>([
      [PatchStrategy.MergePatch, { data: { a: null, b: '2' } }],
      [PatchStrategy.StrategicMergePatch, { data: { $patch: 'replace', b: '2' } }],
      [
        PatchStrategy.ServerSideApply,
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'typed' }, data: { b: '2' } },
      ],
    ])('patch with %s if requested', async (type, body) => {
      const object = { namespace, name: 'typed', fieldManager: 'tests' }
      const patch = (change: object) =>
        core.patchNamespacedConfigMap({ ...object, body: change }, setHeaderOptions('Content-Type', type))
      // An apply removes a field only if a previous apply set it.
      if (type === PatchStrategy.ServerSideApply) await patch({ ...body, data: { a: '1' } })
      else await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'typed' }, data: { a: '1' } } })
      expect((await patch(body)).data).toEqual({ b: '2' })
    })

    it('work with custom kinds, and report validation errors', async () => {
      const custom = config.makeApiClient(CustomObjectsApi)
      const place = { group: 'contract.test', version: 'v1', namespace, plural: 'widgets' }
      const aWidget = (size: number) => ({
        apiVersion: 'contract.test/v1',
        kind: 'Widget',
        metadata: { name: 'first' },
        spec: { size },
      })
      expect(await custom.createNamespacedCustomObject({ ...place, body: aWidget(3) })).toMatchObject({
        spec: { size: 3, color: 'grey' },
      })
      expect(await custom.listNamespacedCustomObject(place)).toMatchObject({
        kind: 'WidgetList',
        items: [{ metadata: { name: 'first' } }],
      })
      expect(await codeOf(custom.createNamespacedCustomObject({ ...place, body: aWidget(0) }))).toBe(422)
      const body = [{ op: 'add', path: '/status', value: { phase: 'Ready' } }]
      const status: unknown = await custom.patchNamespacedCustomObjectStatus({ ...place, name: 'first', body })
      expect(status).toMatchObject({ status: { phase: 'Ready' } })
      expect(await custom.deleteNamespacedCustomObject({ ...place, name: 'first' })).toMatchObject({
        status: 'Success',
      })
    })

    it('request a service account token, and authenticate with it', async () => {
      const { status } = await core.createNamespacedServiceAccountToken({
        namespace,
        name: 'default',
        body: { spec: { audiences: [], expirationSeconds: 600 } },
      })
      expect(status?.expirationTimestamp).toBeInstanceOf(Date)
      const robot = configFor(server, status?.token ?? '')
      const self = await robot.makeApiClient(AuthenticationV1Api).createSelfSubjectReview({ body: {} })
      const username = `system:serviceaccount:${namespace}:default`
      expect(self.status?.userInfo?.username).toBe(username)
      const review = await config
        .makeApiClient(AuthenticationV1Api)
        .createTokenReview({ body: { spec: { token: status?.token } } })
      expect([review.status?.authenticated, review.status?.user?.username]).toEqual([true, username])

      expect(await codeOf(robot.makeApiClient(CoreV1Api).listNamespacedPod({ namespace }))).toBe(403)
      await config.makeApiClient(RbacAuthorizationV1Api).createNamespacedRoleBinding({
        namespace,
        body: {
          metadata: { name: 'view' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
          subjects: [{ kind: 'ServiceAccount', name: 'default', namespace }],
        },
      })
      expect((await robot.makeApiClient(CoreV1Api).listNamespacedPod({ namespace })).items).toEqual([])
      const access = await config.makeApiClient(AuthorizationV1Api).createSubjectAccessReview({
        body: { spec: { user: username, resourceAttributes: { verb: 'list', resource: 'pods', namespace } } },
      })
      expect(access.status).toMatchObject({
        allowed: true,
        reason: `RBAC: allowed by RoleBinding "view/${namespace}" of ClusterRole "view" to ServiceAccount "default/${namespace}"`,
      })
    })
  })

  it('Watch receives every change, and ends when aborted', async () => {
    const { metadata } = await core.listNamespacedSecret({ namespace })
    const events: string[] = []
    const heard = new EventTarget()
    const path = `/api/v1/namespaces/${namespace}/secrets`
    const ended = new Promise((resolve) => heard.addEventListener('end', resolve))
    const deleted = new Promise((resolve) => heard.addEventListener('DELETED', resolve))
    const controller = await new Watch(config).watch(
      path,
      { resourceVersion: metadata?.resourceVersion },
      (type, object: V1Secret) => {
        events.push(`${type} ${object.metadata?.name}`)
        heard.dispatchEvent(new Event(type))
      },
      () => heard.dispatchEvent(new Event('end')),
    )
    await core.createNamespacedSecret({ namespace, body: { metadata: { name: 'a' } } })
    await core.replaceNamespacedSecret({
      namespace,
      name: 'a',
      body: { metadata: { name: 'a' }, stringData: { x: '1' } },
    })
    await core.deleteNamespacedSecret({ namespace, name: 'a' })
    await deleted
    expect(events).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a'])
    controller.abort()
    await ended
  })

  it('makeInformer keeps a list up to date', async () => {
    await core.createNamespacedSecret({ namespace, body: { metadata: { name: 'before' } } })
    const informer = makeInformer<V1Secret>(config, `/api/v1/namespaces/${namespace}/secrets`, () =>
      core.listNamespacedSecret({ namespace }),
    )
    const seen: string[] = []
    const heard = new EventTarget()
    const waitFor = (what: string) => new Promise((resolve) => heard.addEventListener(what, resolve, { once: true }))
    for (const verb of ['add', 'update', 'delete'] as const) {
      informer.on(verb, ({ metadata }) => {
        seen.push(`${verb} ${metadata?.name}`)
        heard.dispatchEvent(new Event(`${verb} ${metadata?.name}`))
      })
    }
    const known = waitFor('add before')
    await informer.start()
    await known
    const added = waitFor('add after')
    await core.createNamespacedSecret({ namespace, body: { metadata: { name: 'after' } } })
    await added
    const deleted = waitFor('delete before')
    await core.deleteNamespacedSecret({ namespace, name: 'before' })
    await deleted
    expect(seen).toEqual(['add before', 'add after', 'delete before'])
    expect(informer.list().map(({ metadata }) => metadata?.name)).toEqual(['after'])
    await informer.stop()
  })

  it('KubernetesObjectApi finds kinds by discovery, and applies', async () => {
    const objects = KubernetesObjectApi.makeApiClient(config)
    const aWidget = (spec: object): KubernetesObject & { spec: object } => ({
      apiVersion: 'contract.test/v1',
      kind: 'Widget',
      metadata: { name: 'applied', namespace },
      spec,
    })
    const apply = (spec: object) =>
      objects.patch(aWidget(spec), undefined, undefined, 'tests', undefined, PatchStrategy.ServerSideApply)
    expect(await apply({ size: 1 })).toMatchObject({ spec: { size: 1, color: 'grey' } })
    expect(await apply({ size: 2, color: 'red' })).toMatchObject({ spec: { size: 2, color: 'red' } })
    const place = { apiVersion: 'contract.test/v1', kind: 'Widget', metadata: { name: 'applied', namespace } }
    expect((await objects.read(place)).metadata?.name).toBe('applied')
    expect((await objects.list('contract.test/v1', 'Widget', namespace)).items).toHaveLength(1)
    await objects.delete(place)
    expect(await codeOf(objects.read(place))).toBe(404)
  })
}
