import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf, type Api, type Json, type Target } from './api-client'
import { aNamespace, aPod, configMap, eventually, widget, widgetDefinition } from './api-fixtures'

/** Behaviour of single kinds: pods, events, leases, and their selectable fields. */
export function kindsContract(target: () => Target): void {
  let api: Api
  let namespace: string
  let path: string
  let maps: string
  let events: string
  let newerEvents: string
  beforeAll(async () => {
    api = apiOf(target())
    ;({ name: namespace, path, maps } = await aNamespace(api))
    events = `${path}/events`
    newerEvents = events.replace('/api/v1', '/apis/events.k8s.io/v1')
  })
  const names = ({ body }: { body: Json }): string[] => body.items.map(({ metadata }: Json) => metadata.name)
  const select = async (list: string, selector: string) =>
    names(await api.get(`${list}?fieldSelector=${encodeURIComponent(selector)}`))

  describe('pods', () => {
    const create = (pod: Json) => api.post(`${path}/pods?dryRun=All`, pod)

    it('get defaults', async () => {
      const pod = { ...aPod('p', ['a']), status: { phase: 'Running' } }
      const { body } = await create(pod)
      expect(body.spec).toMatchObject({
        restartPolicy: 'Always',
        dnsPolicy: 'ClusterFirst',
        serviceAccountName: 'default',
        terminationGracePeriodSeconds: 30,
        containers: [{ name: 'a', imagePullPolicy: 'IfNotPresent', resources: {} }],
      })
      expect([body.status.phase, body.metadata.generation]).toEqual(['Pending', 1])
      const pullPolicy = async (image: string) => {
        const response = await create(aPod('p', [], { containers: [{ name: 'a', image }] }))
        return response.body.spec.containers[0].imagePullPolicy
      }
      expect(await pullPolicy('registry.test:5000/image')).toBe('Always')
      expect(await pullPolicy('image:latest')).toBe('Always')
      expect(await pullPolicy(`image@sha256:${'0'.repeat(64)}`)).toBe('IfNotPresent')
    })

    const image = 'i:1'
    it.each([
      ['no containers', { containers: [] }, 'spec.containers: Required value'],
      ['a missing list of containers', { containers: undefined }, 'spec.containers: Required value'],
      ['a container without a name', { containers: [{ name: '', image }] }, 'spec.containers[0].name: Required value'],
      ['a container without an image', { containers: [{ name: 'a' }] }, 'spec.containers[0].image: Required value'],
      [
        'an invalid name',
        { containers: [{ name: 'A', image }] },
        'spec.containers[0].name: Invalid value: "A": a lowercase RFC 1123 label must consist of',
      ],
      [
        'a duplicate name',
        {
          containers: [
            { name: 'a', image },
            { name: 'a', image },
          ],
        },
        'spec.containers[1].name: Duplicate value: "a"',
      ],
      [
        'an init container of the same name',
        { containers: [{ name: 'a', image }], initContainers: [{ name: 'a', image }] },
        'spec.initContainers[0].name: Duplicate value: "a"',
      ],
      [
        'an unknown restart policy',
        { containers: [{ name: 'a', image }], restartPolicy: 'Sometimes' },
        'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
      ],
    ])('are rejected with %s', async (_, spec, message) => {
      const { code, body } = await create({ ...aPod('p'), spec })
      expect([code, body.message]).toEqual([422, expect.stringContaining(message)])
    })

    it('have a separate status', async () => {
      await api.post(`${path}/pods`, aPod('apart'))
      const { body } = await api.patch(`${path}/pods/apart/status`, 'strategic', { status: { phase: 'Running' } })
      expect([body.status.phase, body.metadata.generation]).toEqual(['Running', 1])
      const unchanged = await api.patch(`${path}/pods/apart`, 'merge', { status: { phase: 'Failed' } })
      expect(unchanged.body.status.phase).toBe('Running')
    })

    it('have a log that is listed in discovery', async () => {
      const { body } = await api.get('/api/v1')
      const found = body.resources.filter(({ name }: Json) => name.startsWith('pods/log'))
      expect(found).toEqual([{ name: 'pods/log', singularName: '', namespaced: true, kind: 'Pod', verbs: ['get'] }])
    })

    it('are selected by phase and node', async () => {
      const { path: other } = await aNamespace(api)
      const pods = `${other}/pods`
      await api.post(`${other}/serviceaccounts`, { metadata: { name: 'builder' } })
      await api.post(pods, aPod('a', ['c'], { nodeName: 'n1', restartPolicy: 'Never' }))
      await api.post(`${other}/serviceaccounts`, { metadata: { name: 'builder' } })
      await api.post(pods, aPod('b', ['c'], { serviceAccountName: 'builder' }))
      await api.patch(`${pods}/a/status`, 'merge', { status: { phase: 'Running', podIP: '10.0.0.1' } })
      expect(await select(pods, 'spec.nodeName=n1')).toEqual(['a'])
      expect(await select(pods, 'spec.nodeName=')).toEqual(['b'])
      expect(await select(pods, 'spec.restartPolicy=Always')).toEqual(['b'])
      expect(await select(pods, 'spec.serviceAccountName=builder')).toEqual(['b'])
      expect(await select(pods, 'status.phase!=Running')).toEqual(['b'])
      expect(await select(pods, 'status.podIP=10.0.0.1,status.phase=Running')).toEqual(['a'])
      // There is no kubelet on that node to complete a graceful deletion.
      await api.delete(`${pods}/a?gracePeriodSeconds=0`)
    })

    it('enter and leave a watch with a field selector', async () => {
      const { path: other } = await aNamespace(api)
      const pods = `${other}/pods`
      const watch = await api.watch(`${pods}?watch=true&fieldSelector=status.phase%3DRunning`)
      await api.post(pods, aPod('a'))
      const turn = (phase: string) => api.patch(`${pods}/a/status`, 'merge', { status: { phase } })
      for (const phase of ['Running', 'Succeeded', 'Running']) await turn(phase)
      expect(await watch.take(3)).toEqual(['ADDED a', 'DELETED a', 'ADDED a'])
      watch.close()
    })
  })

  describe('fields of other kinds', () => {
    it('select secrets by type and namespaces by phase', async () => {
      const secrets = `${path}/secrets`
      await api.post(secrets, { metadata: { name: 'plain' } })
      await api.post(secrets, {
        metadata: { name: 'basic' },
        type: 'kubernetes.io/basic-auth',
        stringData: { username: 'u', password: 'p' },
      })
      expect(await select(secrets, 'type=kubernetes.io/basic-auth')).toEqual(['basic'])
      expect(await select('/api/v1/namespaces', `status.phase=Active,metadata.name=${namespace}`)).toEqual([namespace])
    })

    it.each<[string, string, string?]>([
      ['pods', 'spec.containers'],
      ['secrets', 'data.a'],
      ['events', 'message'],
      ['configmaps', 'data.a', '"data.a" is not a known field selector: only "metadata.name", "metadata.namespace"'],
    ])('of %s do not include %s, in a list or a watch', async (plural, field, message) => {
      for (const query of ['', '&watch=true']) {
        const { code, body } = await api.get(`${path}/${plural}?fieldSelector=${field}%3Dx${query}`)
        expect([code, body.reason, body.message]).toEqual([
          400,
          'BadRequest',
          message ?? `field label not supported: ${field}`,
        ])
      }
    })

    it('of custom kinds are name, namespace and the fields in their definition', async () => {
      const version = widgetDefinition.spec.versions[0]
      const group = `selectable.${namespace}.test`
      const definition = (selectableFields: object[]) => ({
        ...widgetDefinition,
        metadata: { name: `widgets.${group}` },
        spec: { ...widgetDefinition.spec, group, versions: [{ ...version, selectableFields }] },
      })
      const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
      const refused = await api.post(
        definitions,
        definition([{ jsonPath: '.spec.none' }, { jsonPath: '.metadata.name' }, { jsonPath: '.spec.free' }]),
      )
      const notFound = 'is an invalid path: does not refer to a valid field'
      expect([refused.code, refused.body.details.causes]).toMatchObject([
        422,
        [
          { field: 'spec.selectableFields[0].jsonPath', message: `Invalid value: ".spec.none": ${notFound}` },
          { field: 'spec.selectableFields[1].jsonPath', message: `Invalid value: ".metadata.name": ${notFound}` },
          { field: 'spec.selectableFields[2].jsonPath' },
        ],
      ])
      const selectableFields = [{ jsonPath: '.spec.color' }]
      const v2 = {
        ...version,
        name: 'v2',
        storage: false,
        schema: { openAPIV3Schema: { type: 'object' } },
        selectableFields,
      }
      const { spec, ...rest } = definition(selectableFields)
      const halved = await api.post(definitions, { ...rest, spec: { ...spec, versions: [...spec.versions, v2] } })
      expect([halved.code, halved.body.details.causes]).toMatchObject([422, [{ field: 'spec.selectableFields' }]])
      await api.post(definitions, definition([{ jsonPath: '.spec.color' }, { jsonPath: '.spec.size' }]))
      const widgets = `/apis/${group}/v1/namespaces/${namespace}/widgets`
      await eventually(async () => (await api.get(widgets)).code === 200)
      const ofGroup = (name: string, spec: object) => ({ ...widget(name, spec), apiVersion: `${group}/v1` })
      await api.post(widgets, ofGroup('a', { size: 1, color: 'red' }))
      await api.post(widgets, ofGroup('b', { size: 2 }))
      expect(await select(widgets, 'spec.color=red')).toEqual(['a'])
      expect(await select(widgets, 'spec.size=2,spec.color!=red')).toEqual(['b'])
      expect(await select(widgets, `metadata.namespace=${namespace},metadata.name=a`)).toEqual(['a'])
      expect((await api.get(`${widgets}?fieldSelector=spec.free%3Dx`)).body.message).toBe(
        'field label not supported: spec.free',
      )
      const watch = await api.watch(`${widgets}?watch=true&fieldSelector=spec.color%3Dred`)
      await api.patch(`${widgets}/b`, 'merge', { spec: { color: 'red' } })
      await api.patch(`${widgets}/a`, 'merge', { spec: { color: 'blue' } })
      expect(await watch.take(3)).toEqual(['ADDED a', 'ADDED b', 'DELETED a'])
      watch.close()
      await api.delete(`${definitions}/widgets.${group}`)
    })
  })

  describe('events', () => {
    const requestInfo = (name: string) => ({ kind: 'Pod', name, namespace, uid: `uid-${name}` })
    const event = (name: string, more: object = {}): Json => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name },
      involvedObject: requestInfo(name),
      reason: 'Pulled',
      message: 'Image pulled',
      type: 'Normal',
      source: { component: 'kubelet' },
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:00:00Z',
      count: 1,
      ...more,
    })
    const newer = (name: string, more: object = {}): Json => ({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name },
      regarding: requestInfo(name),
      reason: 'Started',
      note: 'Run started',
      type: 'Normal',
      action: 'Start',
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'tekton.dev/pipelines',
      reportingInstance: 'pod-1',
      ...more,
    })

    it('are the same in both groups, with different field names', async () => {
      const { code, body: written } = await api.post(events, event('core'))
      expect(code).toBe(201)
      const { body: read } = await api.get(`${newerEvents}/core`)
      expect(read).toMatchObject({
        apiVersion: 'events.k8s.io/v1',
        kind: 'Event',
        metadata: { uid: written.metadata.uid, resourceVersion: written.metadata.resourceVersion },
        regarding: requestInfo('core'),
        note: 'Image pulled',
        deprecatedSource: { component: 'kubelet' },
        deprecatedCount: 1,
      })
      expect([read.involvedObject, read.message]).toEqual([undefined, undefined])

      expect((await api.post(newerEvents, newer('newer'))).code).toBe(201)
      const { body: core } = await api.get(`${events}/newer`)
      expect(core).toMatchObject({
        apiVersion: 'v1',
        involvedObject: requestInfo('newer'),
        message: 'Run started',
        reportingComponent: 'tekton.dev/pipelines',
      })
      expect([core.regarding, core.note]).toEqual([undefined, undefined])
      expect(names(await api.get(events))).toEqual(names(await api.get(newerEvents)))
    })

    it('are reported by watches of both groups, and can be changed through both', async () => {
      const watches = await Promise.all([events, newerEvents].map((list) => api.watch(`${list}?watch=true`)))
      await api.post(events, event('watched'))
      await api.patch(`${events}/watched`, 'merge', { count: 2 })
      await api.patch(`${newerEvents}/watched`, 'merge', { metadata: { labels: { a: 'b' } } })
      await api.delete(`${events}/watched`)
      const received = await Promise.all(
        watches.map(async (watch) => {
          const seen: Json[] = []
          while (seen.length < 4) {
            const next = await watch.next()
            if (next.object.metadata.name === 'watched') seen.push(next)
          }
          watch.close()
          return seen.map(({ type, object }) => [type, object.apiVersion, object.count ?? object.deprecatedCount])
        }),
      )
      expect(received).toEqual(
        ['v1', 'events.k8s.io/v1'].map((apiVersion) => [
          ['ADDED', apiVersion, 1],
          ['MODIFIED', apiVersion, 2],
          ['MODIFIED', apiVersion, 2],
          ['DELETED', apiVersion, 2],
        ]),
      )
    })

    it('are mostly immutable through events.k8s.io', async () => {
      await api.post(events, event('settled'))
      const { code, body } = await api.patch(`${newerEvents}/settled`, 'merge', { deprecatedCount: 2 })
      expect([code, body.message]).toEqual([
        422,
        'Event "settled" is invalid: count: Invalid value: 2: field is immutable',
      ])
    })

    it('are selected by their object', async () => {
      const { path: other, name } = await aNamespace(api)
      const list = `${other}/events`
      const within = (involvedObject: object) => ({ involvedObject: { ...involvedObject, namespace: name } })
      await api.post(list, event('a', within(requestInfo('a'))))
      await api.post(list, event('b', { ...within(requestInfo('b')), reason: 'Failed', type: 'Warning' }))
      expect(await select(list, 'involvedObject.name=a,involvedObject.kind=Pod')).toEqual(['a'])
      expect(await select(list, 'involvedObject.uid=uid-b')).toEqual(['b'])
      expect(await select(list, 'type=Warning')).toEqual(['b'])
      expect(await select(list, 'reason!=Failed')).toEqual(['a'])
      expect(await select(list, 'source=kubelet')).toEqual(['a', 'b'])
      const newerList = list.replace('/api/v1', '/apis/events.k8s.io/v1')
      expect(await select(newerList, 'regarding.name=b')).toEqual(['b'])
      const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
      const tables = await Promise.all(
        [list, newerList].map(async (one) => (await api.call('GET', one, { headers: { accept } })).body),
      )
      for (const { rows } of tables)
        expect(rows[1].cells).toEqual(expect.arrayContaining(['Warning', 'Failed', 'pod/b']))
    })

    it.each([
      ['v1', { involvedObject: { kind: 'Pod', name: 'x', namespace: 'elsewhere' } }, 'involvedObject.namespace'],
      ['v1', { involvedObject: { kind: 'Pod', name: 'x' } }, 'involvedObject.namespace'],
      ['v1', { eventTime: '2026-01-01T00:00:00.000000Z' }, 'reportingComponent'],
      ['events.k8s.io/v1', { eventTime: undefined }, 'eventTime'],
      ['events.k8s.io/v1', { reportingController: '' }, 'reportingController'],
      ['events.k8s.io/v1', { action: undefined }, 'action'],
      ['events.k8s.io/v1', { type: 'Odd' }, 'type'],
      ['events.k8s.io/v1', { note: 'x'.repeat(1025) }, 'message'],
      ['events.k8s.io/v1', { deprecatedCount: 1 }, 'count'],
    ])('of %s are rejected with %j', async (version, more, field) => {
      const isCore = version === 'v1'
      const { code, body } = isCore
        ? await api.post(events, event('bad', more))
        : await api.post(newerEvents, newer('bad', more))
      expect([code, body.details.causes[0].field]).toEqual([422, field])
    })

    it('are deleted with their namespace', async () => {
      const other = await aNamespace(api)
      await api.post(`${other.path}/events`, event('a', { involvedObject: { kind: 'Pod', namespace: other.name } }))
      await api.delete(other.path)
      await eventually(async () => (await api.get(other.path)).code === 404)
      expect((await api.get(`${other.path}/events/a`)).code).toBe(404)
    })
  })

  it('leases are stored as written', async () => {
    const leases = path.replace('/api/v1', '/apis/coordination.k8s.io/v1') + '/leases'
    const spec = { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z' }
    const { code, body } = await api.post(leases, { metadata: { name: 'leader' }, spec })
    expect([code, body.kind, body.spec]).toEqual([201, 'Lease', spec])
    const taken = await api.put(`${leases}/leader`, { ...body, spec: { ...spec, holderIdentity: 'you' } })
    expect(taken.body.spec.holderIdentity).toBe('you')
    expect((await api.put(`${leases}/leader`, body)).code).toBe(409)
  })

  it('objects whose owner is in another namespace are collected', async () => {
    const other = await aNamespace(api)
    const { body: owner } = await api.post(other.maps, configMap('owner'))
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid }]
    await api.post(maps, { ...configMap('stray'), metadata: { name: 'stray', ownerReferences } })
    await eventually(async () => (await api.get(`${maps}/stray`)).code === 404)
  })
}
