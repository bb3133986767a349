import { beforeAll, describe, expect, it } from 'vitest'
import { decodeProtobuf } from '../src/protobuf/decode'
import { apiOf, type Api, type Json, type Target } from './api-client'
import { aNamespace, aPod, configMap, eventually, widget, widgetDefinition } from './api-fixtures'

/** The exact form of responses: defaults, omitted fields, headers and methods. */
export function responsesContract(target: () => Target): void {
  let api: Api
  let namespace: string
  let path: string
  let maps: string
  let widgets: string
  beforeAll(async () => {
    api = apiOf(target())
    ;({ name: namespace, path, maps, widgets } = await aNamespace(api))
  })
  const rbac = () => `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`
  const dryPod = (spec: object = {}, metadata: object = { name: 'p' }) =>
    api.post(`${path}/pods?dryRun=All`, { ...aPod('', ['a'], spec), metadata })

  describe('a new pod', () => {
    it('gets a priority, the tolerations of every pod and its QoS class', async () => {
      const { body } = await dryPod()
      expect([body.spec.priority, body.spec.preemptionPolicy]).toEqual([0, 'PreemptLowerPriority'])
      expect(body.spec.tolerations).toEqual(
        ['not-ready', 'unreachable'].map((taint) => ({
          key: `node.kubernetes.io/${taint}`,
          operator: 'Exists',
          effect: 'NoExecute',
          tolerationSeconds: 300,
        })),
      )
      expect(body.status).toEqual({ phase: 'Pending', qosClass: 'BestEffort' })
      const owned = JSON.stringify(body.metadata.managedFields)
      for (const field of ['f:tolerations', 'f:priority', 'f:volumes', 'f:serviceAccountName']) {
        expect(owned).not.toContain(field)
      }
    })

    it('keeps its own tolerations of the same taints', async () => {
      const tolerations = [{ operator: 'Exists', effect: 'NoExecute' }]
      expect((await dryPod({ tolerations })).body.spec.tolerations).toEqual(tolerations)
    })

    it.each([
      [{}, 'BestEffort'],
      [{ requests: { cpu: '100m' } }, 'Burstable'],
      [{ limits: { cpu: '1' } }, 'Burstable'],
      [{ limits: { cpu: '1', memory: '1Gi' } }, 'Guaranteed'],
      [{ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1000m', memory: '1024Mi' } }, 'Guaranteed'],
      [{ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } }, 'Burstable'],
    ])('with resources %j has the QoS class %s', async (resources, qosClass) => {
      const { body } = await dryPod({ containers: [{ name: 'a', image: 'i:1', resources }] })
      expect(body.status.qosClass).toBe(qosClass)
    })

    it('mounts the token of its service account by default', async () => {
      const { body } = await dryPod({ initContainers: [{ name: 'i', image: 'i:1' }] })
      const [volume] = body.spec.volumes
      expect(volume.name).toMatch(/^kube-api-access-\w{5}$/)
      expect(volume.projected).toEqual({
        defaultMode: 420,
        sources: [
          { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
          { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
          {
            downwardAPI: {
              items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
            },
          },
        ],
      })
      const mount = { name: volume.name, readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }
      for (const container of [...body.spec.containers, ...body.spec.initContainers]) {
        expect(container.volumeMounts).toEqual([mount])
      }
      const without = await dryPod({ automountServiceAccountToken: false })
      expect([without.body.spec.volumes, without.body.spec.containers[0].volumeMounts]).toEqual([undefined, undefined])
    })

    it('gets the pull secrets of its service account', async () => {
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'puller' } }
      await api.post(`${path}/serviceaccounts`, { ...account, imagePullSecrets: [{ name: 'registry' }] })
      const { body } = await dryPod({ serviceAccountName: 'puller' })
      expect([body.spec.serviceAccount, body.spec.imagePullSecrets]).toEqual(['puller', [{ name: 'registry' }]])
    })

    it.each([
      [{ name: 'p' }, 'p'],
      [{ generateName: 'p-' }, 'p-'],
    ])('with a missing service account is rejected: %j', async (metadata, name) => {
      const { code, body } = await dryPod({ serviceAccountName: 'none' }, metadata)
      const detail = `error looking up service account ${namespace}/none: serviceaccount "none" not found`
      expect([code, body.reason, body.message]).toEqual([403, 'Forbidden', `pods "${name}" is forbidden: ${detail}`])
    })

    it('cannot choose its priority', async () => {
      const { code, body } = await dryPod({ priority: 5 })
      expect([code, body.message]).toEqual([
        403,
        'pods "p" is forbidden: the integer value of priority (5) must not be provided in pod spec; ' +
          'priority admission controller computed 0 from the given PriorityClass name',
      ])
      const unknown = await dryPod({ priorityClassName: 'none' })
      expect([unknown.code, unknown.body.message]).toEqual([
        403,
        'pods "p" is forbidden: no PriorityClass with name none was found',
      ])
    })

    it('gets the defaults of its volumes, probes and requests', async () => {
      const { body } = await dryPod({
        containers: [
          {
            name: 'a',
            image: 'i:1',
            resources: { limits: { cpu: '1' } },
            livenessProbe: { httpGet: { port: 80 } },
            env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
          },
        ],
        volumes: [{ name: 'v' }, { name: 's', secret: { secretName: 's' } }],
      })
      expect(body.spec.volumes.slice(0, 2)).toEqual([
        { name: 'v', emptyDir: {} },
        { name: 's', secret: { secretName: 's', defaultMode: 420 } },
      ])
      expect(body.spec.containers[0]).toMatchObject({
        resources: { requests: { cpu: '1' } },
        livenessProbe: {
          httpGet: { path: '/', port: 80, scheme: 'HTTP' },
          timeoutSeconds: 1,
          periodSeconds: 10,
          successThreshold: 1,
          failureThreshold: 3,
        },
        env: [{ valueFrom: { fieldRef: { apiVersion: 'v1' } } }],
      })
    })

    it('is returned by its deletion, marked as deleted', async () => {
      await api.post(`${path}/pods`, aPod('going'))
      const { code, body } = await api.delete(`${path}/pods/going`)
      const { deletionTimestamp, deletionGracePeriodSeconds, generation } = body.metadata
      expect([code, body.kind, deletionGracePeriodSeconds, generation]).toEqual([200, 'Pod', 0, 2])
      expect(deletionTimestamp).toMatch(/^\d{4}-/)
    })
  })

  describe('a volume claim', () => {
    const claim = (spec: object) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'c' },
      spec,
    })
    const create = (spec: object) => api.post(`${path}/persistentvolumeclaims?dryRun=All`, claim(spec))

    it('has a protection finalizer, and is pending', async () => {
      const { code, body } = await create({
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
      })
      expect([code, body.metadata.finalizers, body.spec.volumeMode, body.status]).toEqual([
        201,
        ['kubernetes.io/pvc-protection'],
        'Filesystem',
        { phase: 'Pending' },
      ])
    })

    const modes = '"ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"'
    it.each([
      [
        {},
        '[spec.accessModes: Required value: at least 1 access mode is required, spec.resources[storage]: Required value]',
      ],
      [
        { accessModes: ['Odd'], resources: { requests: { storage: '-1Gi' } }, volumeMode: 'X' },
        `[spec.accessModes: Unsupported value: "Odd": supported values: ${modes}, ` +
          'spec.resources[storage]: Invalid value: "-1Gi": must be greater than zero, ' +
          'spec.volumeMode: Unsupported value: "X": supported values: "Block", "Filesystem"]',
      ],
      [
        { accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'], resources: { requests: { storage: '1' } } },
        'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
      ],
    ])('is rejected: %j', async (spec, message) => {
      const { code, body } = await create(spec)
      expect([code, body.message]).toEqual([422, `PersistentVolumeClaim "c" is invalid: ${message}`])
    })
  })

  describe('a limit range', () => {
    const create = (limits: object[]) =>
      api.post(`${path}/limitranges?dryRun=All`, { metadata: { name: 'l' }, spec: { limits } })

    it('gets defaults for containers: of limits from the maximum, of requests from the limits and the minimum', async () => {
      const { code, body } = await create([
        { type: 'Container', max: { cpu: '2' }, min: { memory: '1Gi' }, default: { memory: '2Gi' } },
        { type: 'Pod', max: { cpu: '4' } },
      ])
      expect([code, body.spec.limits]).toEqual([
        201,
        [
          {
            type: 'Container',
            max: { cpu: '2' },
            min: { memory: '1Gi' },
            default: { cpu: '2', memory: '2Gi' },
            defaultRequest: { cpu: '2', memory: '2Gi' },
          },
          { type: 'Pod', max: { cpu: '4' } },
        ],
      ])
    })

    it('may be without limits', async () => {
      const { code, body } = await api.post(`${path}/limitranges?dryRun=All`, { metadata: { name: 'l' } })
      expect([code, body.spec]).toEqual([201, { limits: null }])
    })

    const at = 'spec.limits[0]'
    it.each<[object, string]>([
      [{ type: 'Odd' }, `${at}.type: Invalid value: "Odd": must be a standard limit type or fully qualified`],
      [
        { type: 'Pod', max: { cpu: '1' }, default: { cpu: '1' } },
        `${at}.default: Forbidden: may not be specified when \`type\` is 'Pod'`,
      ],
      [
        { type: 'Pod', max: { odd: '1' } },
        `[${at}.max[odd]: Invalid value: "odd": must be a standard resource type or fully qualified, ` +
          `${at}.max[odd]: Invalid value: "odd": must be a standard resource for containers]`,
      ],
      [
        { type: 'Pod', max: { cpu: '1' }, min: { cpu: '2' } },
        `${at}.min[cpu]: Invalid value: "2": min value 2 is greater than max value 1`,
      ],
      [
        { type: 'Container', max: { cpu: '1' }, default: { cpu: '2' }, defaultRequest: { cpu: '1' } },
        `${at}.default[cpu]: Invalid value: "1": default value 2 is greater than max value 1`,
      ],
      [
        { type: 'Container', default: { cpu: '1' }, defaultRequest: { cpu: '2' } },
        `${at}.defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than default limit value 1`,
      ],
      [
        { type: 'PersistentVolumeClaim' },
        `${at}.limits: Required value: either minimum or maximum storage value is required, but neither was provided`,
      ],
      [
        { type: 'Pod', maxLimitRequestRatio: { cpu: '500m' } },
        `${at}.maxLimitRequestRatio[cpu]: Invalid value: "500m": ratio 500m is less than 1`,
      ],
    ])('is rejected: %j', async (item, message) => {
      const { code, body } = await create([item])
      expect([code, body.message]).toEqual([422, `LimitRange "l" is invalid: ${message}`])
    })

    it('is rejected if two of its limits are of one type', async () => {
      const { body } = await create([{ type: 'Pod' }, { type: 'Pod' }])
      expect(body.message).toBe('LimitRange "l" is invalid: spec.limits[1].type: Duplicate value: "Pod"')
    })
  })

  describe('members', () => {
    const created = async (list: string, object: object) => (await api.post(`${list}?dryRun=All`, object)).body

    it('that are empty are omitted', async () => {
      const map = await created(maps, { ...configMap('m'), data: {}, binaryData: {} })
      expect(Object.keys(map).sort()).toEqual(['apiVersion', 'kind', 'metadata'])
      expect(map.metadata.managedFields).toBeUndefined()
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' } }
      const { secrets, imagePullSecrets } = await created(`${path}/serviceaccounts`, {
        ...account,
        secrets: [],
        imagePullSecrets: [],
      })
      expect([secrets, imagePullSecrets]).toEqual([undefined, undefined])
    })

    it('that are null become empty strings within data, and are otherwise omitted', async () => {
      const map = await created(maps, { ...configMap('m'), data: { a: null, b: '' }, binaryData: null })
      expect([map.data, map.binaryData]).toEqual([{ a: '', b: '' }, undefined])
    })

    it('that a role always has are null if empty', async () => {
      const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'r' } }
      for (const rules of [undefined, []]) {
        expect(await created(`${rbac()}/roles`, { ...role, rules })).toHaveProperty('rules', null)
      }
      const rule = { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: [] }
      const { rules } = await created(`${rbac()}/roles`, { ...role, rules: [rule] })
      expect(rules).toEqual([{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }])
    })

    it('that a lease and an event always have are present', async () => {
      const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'l' } }
      expect((await created(`/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`, lease)).spec).toEqual({})
      const event = { apiVersion: 'v1', kind: 'Event', metadata: { name: 'always' } }
      const { body } = await api.post(`${path}/events`, { ...event, involvedObject: { kind: 'Pod', namespace } })
      const { metadata: _, ...rest } = body
      expect(rest).toEqual({
        apiVersion: 'v1',
        kind: 'Event',
        involvedObject: { kind: 'Pod', namespace },
        source: {},
        firstTimestamp: null,
        lastTimestamp: null,
        eventTime: null,
        reportingComponent: '',
        reportingInstance: '',
      })
      const newer = await api.get(`/apis/events.k8s.io/v1/namespaces/${namespace}/events/always`)
      const { metadata: _metadata, ...others } = newer.body
      expect(others).toEqual({
        apiVersion: 'events.k8s.io/v1',
        kind: 'Event',
        regarding: { kind: 'Pod', namespace },
        deprecatedSource: {},
        deprecatedFirstTimestamp: null,
        deprecatedLastTimestamp: null,
        eventTime: null,
      })
    })
  })

  describe('items of a list', () => {
    it('have a kind only if it is a custom one', async () => {
      await api.post(maps, configMap('item', { a: '1' }))
      const { body: list } = await api.get(`${maps}?fieldSelector=metadata.name%3Ditem`)
      expect([list.kind, Object.keys(list.items[0]).sort()]).toEqual(['ConfigMapList', ['data', 'metadata']])
      await api.post(widgets, widget('item'))
      const { body: custom } = await api.get(`${widgets}?fieldSelector=metadata.name%3Ditem`)
      expect([custom.items[0].kind, custom.metadata.continue]).toEqual(['Widget', ''])
    })

    it('are the same in the response to a deletion', async () => {
      await api.post(maps, { ...configMap('swept'), metadata: { name: 'swept', labels: { swept: 'yes' } } })
      const { body } = await api.delete(`${maps}?labelSelector=swept`)
      expect([body.kind, Object.keys(body.items[0])]).toEqual(['ConfigMapList', ['metadata']])
    })

    it('are complete at resourceVersion 0, whatever the limit', async () => {
      const { body } = await api.get('/api/v1/namespaces?limit=1&resourceVersion=0')
      expect([body.items.length > 1, body.metadata.continue]).toEqual([true, undefined])
    })
  })

  it('a definition is returned before its names are accepted, and marked when it is deleted', async () => {
    const group = `responses.${namespace}.test`
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    const one = `${definitions}/widgets.${group}`
    const metadata = { name: `widgets.${group}` }
    const { body } = await api.post(definitions, {
      ...widgetDefinition,
      metadata,
      spec: { ...widgetDefinition.spec, group },
    })
    expect([body.metadata.finalizers, body.status]).toEqual([
      undefined,
      { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] },
    ])
    const isEstablished = ({ status }: Json) => status.conditions?.some(({ type }: Json) => type === 'Established')
    await eventually(async () => isEstablished((await api.get(one)).body))
    const { body: accepted } = await api.get(one)
    expect([accepted.metadata.generation, accepted.status.acceptedNames.kind]).toEqual([1, 'Widget'])
    const { body: deleted } = await api.delete(one)
    const { finalizers, generation, deletionGracePeriodSeconds } = deleted.metadata
    expect([finalizers, generation, deletionGracePeriodSeconds]).toEqual([
      ['customresourcecleanup.apiextensions.k8s.io'],
      1,
      undefined,
    ])
    expect(deleted.status.conditions.at(-1)).toMatchObject({ type: 'Terminating', reason: 'InstanceDeletionPending' })
  })

  it.each([
    ['view', 'get', '', 'pods/status', true],
    ['view', 'list', 'events.k8s.io', 'events', true],
    ['view', 'get', 'coordination.k8s.io', 'leases', false],
    ['edit', 'create', 'coordination.k8s.io', 'leases', true],
    ['edit', 'deletecollection', 'coordination.k8s.io', 'leases', true],
    ['admin', 'watch', 'coordination.k8s.io', 'leases', true],
    ['edit', 'get', 'apps', 'deployments', true],
  ])('the role %s may %s of %j %s: %s', async (role, verb, group, resource, expected) => {
    const holds = async () => {
      const { body } = await api.get(`/apis/rbac.authorization.k8s.io/v1/clusterroles/${role}`)
      return body.rules.some(
        (rule: Json) =>
          rule.verbs.includes(verb) && rule.apiGroups?.includes(group) && rule.resources?.includes(resource),
      )
    }
    expect(await holds()).toBe(expected)
  })

  describe('methods and headers:', () => {
    it.each([
      ['HEAD', '/api/v1/namespaces/default', 405],
      ['HEAD', '/api/v1/namespaces', 405],
      ['HEAD', '/api', 405],
      ['HEAD', '/version', 405],
      ['HEAD', '/apis', 200],
      ['HEAD', '/healthz', 200],
      ['OPTIONS', '/api/v1/namespaces', 405],
      ['PUT', '/version', 405],
      ['POST', '/api', 405],
      ['POST', '/api/v1', 405],
      ['POST', '/healthz', 200],
      ['DELETE', '/apis', 200],
      ['GET', '/', 200],
    ])('%s %s: %i', async (method, at, code) => {
      expect((await api.call(method, at)).code).toBe(code)
    })

    it('/ lists the available paths', async () => {
      const { paths } = (await api.get('/')).body
      const known = ['/api/v1', '/apis', '/apis/rbac.authorization.k8s.io/v1', '/healthz', '/openapi/v3', '/version']
      expect(paths).toEqual(expect.arrayContaining(known))
    })

    it.each(['/version', '/api', '/apis/rbac.authorization.k8s.io/v1', '/healthz', '/api/v1/namespaces/default'])(
      '%s may not be cached',
      async (at) => {
        expect((await api.get(at)).headers.get('cache-control')).toBe('no-cache, private')
      },
    )

    it('errors of filters have the nosniff header', async () => {
      const headers = { 'impersonate-user': 'nobody' }
      const response = await api.call('GET', '/api/v1/namespaces/default', { headers })
      expect([response.code, response.headers.get('x-content-type-options')]).toEqual([403, 'nosniff'])
    })

    it('/version returns the emulated versions', async () => {
      const { body } = await api.get('/version')
      expect(body).toMatchObject({
        major: '1',
        emulationMajor: '1',
        emulationMinor: body.minor,
        minCompatibilityMajor: '1',
        gitVersion: expect.stringMatching(`^v1\\.${body.minor}\\.`),
      })
    })

    it('discovery returns storage version hashes, and the verbs of custom kinds in order', async () => {
      const resource = async (version: string, plural: string) =>
        (await api.get(version)).body.resources.find(({ name }: Json) => name === plural)
      expect((await resource('/apis/coordination.k8s.io/v1', 'leases')).storageVersionHash).toBe('gqkMMb/YqFM=')
      expect((await resource('/apis/events.k8s.io/v1', 'events')).storageVersionHash).toBe('r2yiGXH7wu8=')
      expect((await resource('/api/v1', 'pods/log')).storageVersionHash).toBeUndefined()
      const { verbs, storageVersionHash } = await resource('/apis/contract.test/v1', 'widgets')
      expect(storageVersionHash).toMatch(/^.{11}=$/)
      expect(verbs).toEqual(['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'])
    })
  })

  describe('an error', () => {
    it('is in YAML if requested', async () => {
      const { code, body, headers } = await api.call('GET', `${maps}/none`, { headers: { accept: 'application/yaml' } })
      expect([code, headers.get('content-type')]).toEqual([404, 'application/yaml'])
      expect(body).toMatch(/^kind: Status$/m)
      expect(body).toMatch(/^message: configmaps "none" not found$/m)
    })

    it('for a media type takes precedence over one for options', async () => {
      const { code } = await api.call('POST', `${maps}?dryRun=Some`, { body: 'x', type: 'text/plain' })
      expect(code).toBe(415)
    })

    it.each([
      ['an empty one', '', "couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)"],
    ])('for a body names the problem: %s', async (_, body, problem) => {
      const response = await api.call('POST', `${path}/secrets`, { body, type: 'application/json' })
      const message = `the object provided is unrecognized (must be of type Secret): ${problem}`
      expect([response.code, response.body.message]).toEqual([400, message])
    })

    it.each([
      ['x', 'illegal base64 data at input byte 0'],
      ['ab!', 'illegal base64 data at input byte 2'],
      [btoa('{').replace(/=/g, ''), 'unexpected end of JSON input'],
      [btoa('{"v":"x"}').replace(/=/g, ''), 'server does not recognize this encoded version x'],
      [btoa('{"v":"meta.k8s.io/v1","rv":1}').replace(/=/g, ''), 'encoded start key empty (version meta.k8s.io/v1)'],
    ])('for the continue token %s names the problem', async (token, problem) => {
      const { code, body } = await api.get(`${maps}?limit=1&continue=${encodeURIComponent(token)}`)
      expect([code, body.message]).toEqual([400, `invalid continue token: continue key is not valid: ${problem}`])
    })

    it.each([
      [{ 'impersonate-group': 'a,b' }, '{Group  a,b    }'],
      [{ 'impersonate-group': '' }, '{Group      }'],
      [{ 'impersonate-uid': '1' }, '{UID  1  authentication.k8s.io/v1  }'],
      [
        { 'impersonate-extra-scopes': 'x', 'impersonate-uid': '1' },
        '{UserExtra  x  authentication.k8s.io/v1  scopes} {UID  1  authentication.k8s.io/v1  }',
      ],
    ])('for %j without a user names the attributes', async (headers, requested) => {
      const response = await api.call('GET', maps, { headers: headers as Record<string, string> })
      expect([response.code, response.body.message]).toEqual([
        400,
        `requested [${requested}] without impersonating a user`,
      ])
    })

    it('for a path that is not UTF-8 is a normal 404, and for a badly encoded one is plain text', async () => {
      expect((await api.get(`${maps}/%ff`)).code).toBe(404)
      const { code, body, headers } = await api.get(`${maps}/%zz`)
      expect([code, body, headers.get('content-type')]).toEqual([400, '400 Bad Request', 'text/plain; charset=utf-8'])
    })
  })

  it('a review omits empty fields', async () => {
    const spec = { user: 'a', resourceAttributes: { verb: 'get', group: '', resource: 'pods', name: '' } }
    const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec }
    const { body } = await api.post('/apis/authorization.k8s.io/v1/subjectaccessreviews', review)
    expect(body.spec).toEqual({ user: 'a', resourceAttributes: { verb: 'get', resource: 'pods' } })
    const token = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'unknown' } }
    const { body: response } = await api.post('/apis/authentication.k8s.io/v1/tokenreviews', token)
    expect([response.status.user, Object.hasOwn(response.status, 'authenticated')]).toEqual([{}, false])
  })

  describe('in protobuf', () => {
    const accept = 'application/vnd.kubernetes.protobuf,application/json'
    const request = async (at: string, init: RequestInit = {}) => {
      const { url, token } = target()
      const headers = { accept, authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const response = await fetch(`${url}${at}`, { ...init, headers })
      return {
        code: response.status,
        type: response.headers.get('content-type'),
        bytes: new Uint8Array(await response.arrayBuffer()),
      }
    }
    /** Protobuf has no null. */
    const withoutNulls = (value: Json): Json => JSON.parse(JSON.stringify(value, (_, item) => item ?? undefined))

    beforeAll(async () => {
      await api.post(`${path}/pods`, aPod('binary', ['a'], { initContainers: [{ name: 'i', image: 'i:1' }] }))
      await api.post(maps, configMap('binary', { a: 'ä', b: '' }, { app: 'x' }))
      await api.post(`${path}/secrets`, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'binary' },
        data: { a: 'AAH/' },
        immutable: false,
      })
      const involvedObject = { kind: 'Pod', namespace }
      await api.post(`${path}/events`, {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: 'binary' },
        involvedObject,
        count: 2,
        firstTimestamp: '2026-01-01T00:00:00Z',
      })
      const spec = { leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.120000Z', holderIdentity: '' }
      await api.post(`/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`, {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'binary' },
        spec,
      })
      const rule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] }
      await api.post(`${rbac()}/roles`, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'binary' },
        rules: [rule],
      })
    })

    it.each([
      ['pods', () => `${path}/pods/binary`],
      ['config maps', () => `${maps}/binary`],
      ['secrets', () => `${path}/secrets/binary`],
      ['events', () => `${path}/events/binary`],
      ['newer events', () => `/apis/events.k8s.io/v1/namespaces/${namespace}/events/binary`],
      ['leases', () => `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/binary`],
      ['roles', () => `${rbac()}/roles/binary`],
      ['service accounts', () => `${path}/serviceaccounts/default`],
      ['namespaces', () => path],
    ])('%s have the same content as in JSON', async (_, at) => {
      const { code, type, bytes } = await request(at())
      expect([code, type]).toEqual([200, 'application/vnd.kubernetes.protobuf'])
      expect(decodeProtobuf(bytes)).toEqual(withoutNulls((await api.get(at())).body))
    })

    it('an object is returned from a write', async () => {
      const body = JSON.stringify(configMap('binary-written', { a: '1' }))
      const { code, bytes } = await request(`${maps}?dryRun=All`, { method: 'POST', body })
      expect([code, decodeProtobuf(bytes)]).toEqual([201, expect.objectContaining({ data: { a: '1' } })])
    })

    it.each([
      ['a list', () => maps, 'ConfigMapList', 200],
      ['an error', () => `${maps}/none`, 'Status', 404],
    ])('%s has its kind in the envelope', async (_, at, kind, expected) => {
      const { code, type, bytes } = await request(at())
      expect([code, type]).toEqual([expected, 'application/vnd.kubernetes.protobuf'])
      expect(
        new TextDecoder('latin1')
          .decode(bytes)
          .startsWith(`k8s\0\n${String.fromCharCode(6 + kind.length)}\n\x02v1\x12`),
      ).toBe(true)
      expect(new TextDecoder().decode(bytes)).toContain(kind)
    })

    it('custom kinds are not available, and are sent in JSON if accepted', async () => {
      await api.post(widgets, widget('binary'))
      expect((await request(`${widgets}/binary`)).type).toBe('application/json')
    })
  })

  it.each(['x%s?q=', 'x%s#', 'x#', 'x?', 'a b', 'x\\y'])('the Host header %s cannot change the path', async (host) => {
    await api.post(maps, configMap('hosted'))
    const headers = { host: host.replace('%s', `${maps}/hosted`) }
    expect((await api.call('DELETE', '/version', { headers })).code).toBe(400)
    expect((await api.get(`${maps}/hosted`)).code).toBe(200)
  })
}
