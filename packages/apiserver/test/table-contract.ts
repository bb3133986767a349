import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf, type Api, type Json, type Target } from './api-client'
import { aNamespace, aPod, configMap, widget, widgetDefinition } from './api-fixtures'

const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'
const age = expect.stringMatching(/^\d+[smhd]/)

/** The tables that kubectl prints: the columns of each kind, and their cells for a real object. */
export function tableContract(target: () => Target): void {
  let api: Api
  let name: string
  let path: string
  let maps: string
  let widgets: string
  beforeAll(async () => {
    api = apiOf(target())
    ;({ name, path, maps, widgets } = await aNamespace(api))
  })
  const table = (url: string) => api.call('GET', url, { headers: { accept } })
  /** `Name:type`, with the priority of wide columns. */
  const columnsOf = ({ columnDefinitions }: Json): string =>
    columnDefinitions
      .map((column: Json) => `${column.name}:${column.type}${column.priority ? ` ${column.priority}` : ''}`)
      .join(', ')
  const inGroup = (group: string) => path.replace('/api/v1', `/apis/${group}/v1`)
  const rbac = () => inGroup('rbac.authorization.k8s.io')
  const cluster = '/apis/rbac.authorization.k8s.io/v1'
  const subjects = () => [
    { kind: 'User', name: 'ann-of-tables', apiGroup: 'rbac.authorization.k8s.io' },
    { kind: 'User', name: 'bob-of-tables', apiGroup: 'rbac.authorization.k8s.io' },
    { kind: 'Group', name: 'team', apiGroup: 'rbac.authorization.k8s.io' },
    { kind: 'ServiceAccount', name: 'default', namespace: name },
  ]
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' }
  const event = () => ({
    metadata: { name: 'seen' },
    involvedObject: { kind: 'Pod', name: 'p', namespace: name, fieldPath: 'spec.containers{main}' },
    reason: 'Pulled',
    message: ' Image pulled\n',
    type: 'Normal',
    source: { component: 'kubelet', host: 'node-1' },
    firstTimestamp: '2020-01-01T00:00:00Z',
    lastTimestamp: new Date().toISOString(),
    count: 3,
  })
  const eventColumns =
    'Last Seen:string, Type:string, Reason:string, Object:string, Subobject:string 1, Source:string 1, Message:string, First Seen:string 1, Count:string 1, Name:string 1'
  const eventCells = (event: string) => [
    age,
    'Normal',
    'Pulled',
    'pod/p',
    'spec.containers{main}',
    'kubelet, node-1',
    'Image pulled',
    expect.stringMatching(/^\d+y/),
    3,
    event,
  ]
  const bindingColumns =
    'Name:string, Role:string, Age:string, Users:string 1, Groups:string 1, ServiceAccounts:string 1'
  const bindingCells = (binding: string) => [
    binding,
    'ClusterRole/view',
    age,
    'ann-of-tables, bob-of-tables',
    'team',
    `${name}/default`,
  ]

  const claimSpec = {
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'none',
    resources: { requests: { storage: '1Gi' } },
  }
  const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)

  interface Case {
    list(): string
    /** What is created first, if it does not exist anyway. */
    object?(): Json
    /** Where it is created, if not in the list. */
    createdIn?(): string
    named(): string
    columns: string
    cells(): unknown[]
  }
  const cases: Record<string, Case> = {
    'config maps': {
      list: () => maps,
      object: () => ({ ...configMap('m', { a: '1' }), binaryData: { b: 'AA==' } }),
      named: () => 'm',
      columns: 'Name:string, Data:string, Age:string',
      cells: () => ['m', 2, age],
    },
    secrets: {
      list: () => `${path}/secrets`,
      object: () => ({ metadata: { name: 's' }, stringData: { a: '1', b: '2' } }),
      named: () => 's',
      columns: 'Name:string, Type:string, Data:string, Age:string',
      cells: () => ['s', 'Opaque', 2, age],
    },
    'service accounts': {
      list: () => `${path}/serviceaccounts`,
      object: () => ({ metadata: { name: 'robot' }, secrets: [{ name: 'a' }] }),
      named: () => 'robot',
      columns: 'Name:string, Age:string',
      cells: () => ['robot', age],
    },
    namespaces: {
      list: () => '/api/v1/namespaces',
      named: () => name,
      columns: 'Name:string, Status:string, Age:string',
      cells: () => [name, 'Active', age],
    },
    leases: {
      list: () => `${inGroup('coordination.k8s.io')}/leases`,
      object: () => ({ metadata: { name: 'leader' }, spec: { holderIdentity: 'me' } }),
      named: () => 'leader',
      columns: 'Name:string, Holder:string, Age:string',
      cells: () => ['leader', 'me', age],
    },
    'limit ranges': {
      list: () => `${path}/limitranges`,
      // Not limits of pods: a real server would reject the pods of other rows.
      object: () => ({
        metadata: { name: 'limits' },
        spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '1Ti' } }] },
      }),
      named: () => 'limits',
      columns: 'Name:string, Created At:date',
      cells: () => ['limits', date],
    },
    'volume claims': {
      list: () => `${path}/persistentvolumeclaims`,
      object: () => ({ metadata: { name: 'claim' }, spec: claimSpec }),
      named: () => 'claim',
      columns:
        'Name:string, Status:string, Volume:string, Capacity:string, Access Modes:string, StorageClass:string, VolumeAttributesClass:string, Age:string, VolumeMode:string 1',
      cells: () => ['claim', 'Pending', '', '', '', 'none', '<unset>', age, 'Filesystem'],
    },
    roles: {
      list: () => `${rbac()}/roles`,
      object: () => ({ metadata: { name: 'reader' }, rules: [] }),
      named: () => 'reader',
      columns: 'Name:string, Created At:date',
      cells: () => ['reader', date],
    },
    'cluster roles': {
      list: () => `${cluster}/clusterroles`,
      named: () => 'view',
      columns: 'Name:string, Created At:date',
      cells: () => ['view', date],
    },
    'role bindings': {
      list: () => `${rbac()}/rolebindings`,
      object: () => ({ metadata: { name: 'readers' }, roleRef, subjects: subjects() }),
      named: () => 'readers',
      columns: bindingColumns,
      cells: () => bindingCells('readers'),
    },
    'cluster role bindings': {
      list: () => `${cluster}/clusterrolebindings`,
      object: () => ({ metadata: { name: `${name}-readers` }, roleRef, subjects: subjects() }),
      named: () => `${name}-readers`,
      columns: bindingColumns,
      cells: () => bindingCells(`${name}-readers`),
    },
    'core events': {
      list: () => `${path}/events`,
      object: event,
      named: () => 'seen',
      columns: eventColumns,
      cells: () => eventCells('seen'),
    },
    'events of the newer group': {
      list: () => `${inGroup('events.k8s.io')}/events`,
      object: () => ({ ...event(), metadata: { name: 'seen-again' } }),
      createdIn: () => `${path}/events`,
      named: () => 'seen-again',
      columns: eventColumns,
      cells: () => eventCells('seen-again'),
    },
    definitions: {
      list: () => '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      named: () => 'widgets.contract.test',
      columns: 'Name:string, Created At:date',
      cells: () => ['widgets.contract.test', date],
    },
    'a custom kind': {
      list: () => widgets,
      object: () => widget('w', { size: 3 }),
      named: () => 'w',
      columns: 'Name:string, Size:integer',
      cells: () => ['w', 3],
    },
  }

  it.each(Object.entries(cases))(
    'of %s, for the list and a single object',
    async (_, { list, object, createdIn = list, named, columns, cells }) => {
      const url = list()
      if (object) {
        const { code, body } = await api.post(createdIn(), object())
        expect([code, body.reason]).toEqual([201, object().reason])
      }
      const { body: all } = await table(url)
      expect([all.kind, all.apiVersion, columnsOf(all)]).toEqual(['Table', 'meta.k8s.io/v1', columns])
      const row = all.rows.find((one: Json) => one.object.metadata.name === named())
      expect(row.cells).toEqual(cells())
      const { body: one } = await table(`${url}/${named()}`)
      expect([columnsOf(one), one.rows.length]).toEqual([columns, 1])
      expect(one.rows[0].cells).toEqual(cells())
    },
  )

  const podColumns =
    'Name:string, Ready:string, Status:string, Restarts:string, Age:string, IP:string 1, Node:string 1, Nominated Node:string 1, Readiness Gates:string 1'

  it('of pods', async () => {
    const pods = `${path}/pods`
    await api.post(pods, aPod('p', ['a', 'b']))
    const row = async () => {
      const { body } = await table(`${pods}/p`)
      expect(columnsOf(body)).toBe(podColumns)
      return body.rows[0]
    }
    const none = ['<none>', '<none>', '<none>', '<none>']
    expect((await row()).cells).toEqual(['p', '0/2', 'Pending', '0', age, ...none])
    const ran = { restartCount: 0, ready: false, state: { terminated: { exitCode: 0, reason: 'Completed' } } }
    const again = {
      restartCount: 2,
      ready: true,
      state: { running: {} },
      lastState: { terminated: { exitCode: 1, finishedAt: '2020-01-01T00:00:00Z' } },
    }
    const statusOf = (phase: string, b: object) => ({
      phase,
      podIP: '10.0.0.1',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [
        { name: 'a', ...ran },
        { name: 'b', ...b },
      ],
    })
    await api.patch(`${pods}/p/status`, 'merge', { status: statusOf('Running', again) })
    const restarts = expect.stringMatching(/^2 \(\d+y(\d+d)? ago\)$/)
    expect((await row()).cells).toEqual(['p', '1/2', 'Running', restarts, age, '10.0.0.1', ...none.slice(1)])
    await api.patch(`${pods}/p/status`, 'merge', { status: statusOf('Succeeded', ran) })
    const done = await row()
    expect(done.cells.slice(0, 4)).toEqual(['p', '0/2', 'Completed', '0'])
    expect(done.conditions).toEqual([
      { type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' },
    ])
  })

  it('of a bound volume claim', async () => {
    const claims = `${path}/persistentvolumeclaims`
    await api.post(claims, { metadata: { name: 'bound' }, spec: { ...claimSpec, volumeName: 'v' } })
    const status = { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteMany', 'ReadWriteOnce'] }
    await api.patch(`${claims}/bound/status`, 'merge', { status })
    const { body } = await table(`${claims}/bound`)
    expect(body.rows[0].cells.slice(1, 6)).toEqual(['Bound', 'v', '1Gi', 'RWO,RWX', 'none'])
  })

  it('of a custom kind: every type of column, missing values, and the age if no columns are defined', async () => {
    const group = `tables.${name}.test`
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    const [version] = widgetDefinition.spec.versions
    const columns = [
      { name: 'Color', type: 'string', jsonPath: '.spec.color' },
      { name: 'Any', type: 'string', jsonPath: '.spec.free.any', priority: 1, description: 'Anything.' },
      { name: 'On', type: 'boolean', jsonPath: '.spec.free.on' },
      { name: 'Share', type: 'number', jsonPath: '.spec.free.share' },
      { name: 'Since', type: 'date', jsonPath: '.spec.free.since' },
      { name: 'Ready', type: 'string', jsonPath: '.spec.free.conditions[?(@.type=="Ready")].status' },
    ]
    const definition = (additionalPrinterColumns: object[] | undefined): Json => ({
      ...widgetDefinition,
      metadata: { name: `widgets.${group}` },
      spec: { ...widgetDefinition.spec, group, versions: [{ ...version, additionalPrinterColumns }] },
    })
    const { code, body: created } = await api.post(definitions, definition(columns))
    expect(code).toBe(201)
    const url = `/apis/${group}/v1/namespaces/${name}/widgets`
    const free = {
      any: { a: 1 },
      on: true,
      share: 0.5,
      since: '2020-01-01T00:00:00Z',
      conditions: [
        { type: 'Other', status: 'False' },
        { type: 'Ready', status: 'True' },
      ],
    }
    for (const [widgetName, spec] of [
      ['full', { size: 1, free }],
      ['bare', { size: 1, free: { on: 'yes', share: 'x', since: 'soon' } }],
    ] as const) {
      await expect
        .poll(async () => (await api.post(url, { ...widget(widgetName, spec), apiVersion: `${group}/v1` })).code, {
          timeout: 20_000,
        })
        .toBe(201)
    }
    const { body } = await table(url)
    expect(columnsOf(body)).toBe(
      'Name:string, Color:string, Any:string 1, On:boolean, Share:number, Since:date, Ready:string',
    )
    expect(body.columnDefinitions.map(({ description }: Json) => description).slice(1, 3)).toEqual([
      'Custom resource definition column (in JSONPath format): .spec.color',
      'Anything.',
    ])
    const cells = body.rows.map((row: Json) => row.cells)
    expect(cells).toEqual([
      ['bare', 'grey', null, null, null, '<invalid>', null],
      ['full', 'grey', '{"a":1}', true, 0.5, expect.stringMatching(/^\d+y/), 'True'],
    ])
    const { body: latest } = await api.get(`${definitions}/widgets.${group}`)
    const { versions } = definition(undefined).spec
    await api.put(`${definitions}/widgets.${group}`, {
      ...created,
      metadata: latest.metadata,
      spec: { ...latest.spec, versions },
    })
    await expect.poll(async () => columnsOf((await table(url)).body)).toBe('Name:string, Age:date')
    expect((await table(`${url}/bare`)).body.rows[0].cells).toEqual(['bare', age])
    await api.delete(`${definitions}/widgets.${group}`)
  })

  it('of a list has its version and continue token', async () => {
    await api.post(maps, configMap('n'))
    const { body } = await table(`${maps}?limit=1`)
    expect(body.rows).toHaveLength(1)
    expect(body.metadata).toEqual({
      resourceVersion: expect.stringMatching(/^\d+$/),
      continue: expect.any(String),
      remainingItemCount: expect.any(Number),
    })
    const { body: rest } = await table(`${maps}?limit=500&continue=${body.metadata.continue}`)
    expect([rest.kind, rest.metadata.continue]).toEqual(['Table', undefined])
    expect(rest.rows.length).toBe(body.metadata.remainingItemCount)
  })

  it('of an empty list has columns and no rows', async () => {
    const { body } = await table(`${maps}?labelSelector=none%3Dhere`)
    expect([columnsOf(body), body.rows]).toEqual(['Name:string, Data:string, Age:string', []])
  })

  it.each([
    ['None', null],
    ['Object', { kind: 'ConfigMap', apiVersion: 'v1', data: { a: '1' } }],
    ['Metadata', { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' }],
    ['', { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' }],
  ])('rows contain the object as requested: %j', async (include, expected) => {
    const own = `rows-${include.toLowerCase()}x`
    await api.post(maps, configMap(own, { a: '1' }))
    const { body } = await table(`${maps}/${own}?includeObject=${include}`)
    const { object } = body.rows[0]
    if (expected === null) return expect(object ?? null).toBeNull()
    expect(object).toMatchObject({ ...expected, metadata: { name: own } })
    expect('data' in object).toBe(include === 'Object')
  })

  it('with an invalid includeObject is rejected', async () => {
    const { code, body } = await table(`${maps}?includeObject=Nonsense`)
    expect([code, body.reason, body.message]).toEqual([
      400,
      'BadRequest',
      `Unable to convert to Table as requested: includeObject: Invalid value: "Nonsense": must be 'Metadata', 'Object', 'None', or empty`,
    ])
  })

  it('is not used for errors', async () => {
    const { code, body } = await table(`${maps}/not-there`)
    expect([code, body.kind, body.message]).toEqual([404, 'Status', 'configmaps "not-there" not found'])
  })

  describe('in a watch', () => {
    it('defines its columns once, and has a row for each event', async () => {
      const { body } = await api.get(maps)
      const from = body.metadata.resourceVersion
      const events = await api.watch(`${maps}?watch=true&resourceVersion=${from}`, { accept })
      await api.post(maps, configMap('told', { a: '1' }))
      await api.patch(`${maps}/told`, 'merge', { data: { b: '2' } })
      await api.delete(`${maps}/told`)
      const seen = [await events.next(), await events.next(), await events.next()]
      expect(seen.map(({ type, object }) => [type, object.kind, object.rows.map((row: Json) => row.cells)])).toEqual([
        ['ADDED', 'Table', [['told', 1, age]]],
        ['MODIFIED', 'Table', [['told', 2, age]]],
        ['DELETED', 'Table', [['told', 2, age]]],
      ])
      const [first, ...others] = seen.map(({ object }) => object.columnDefinitions)
      expect(first.map((column: Json) => column.name)).toEqual(['Name', 'Data', 'Age'])
      expect(others).toEqual([null, null])
      expect(seen[1].object.metadata.resourceVersion).toBe(seen[1].object.rows[0].object.metadata.resourceVersion)
      events.close()
    })

    it('represents a bookmark as a row without a name', async () => {
      const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
      const selector = 'labelSelector=none%3Dhere'
      const events = await api.watch(`${maps}?watch=true&${query}&${selector}`, { accept })
      const { type, object } = await events.next()
      expect([type, object.kind, object.metadata.resourceVersion]).toEqual([
        'BOOKMARK',
        'Table',
        expect.stringMatching(/^\d+$/),
      ])
      expect(object.rows).toHaveLength(1)
      expect(object.rows[0].cells).toEqual(['', 0, '<unknown>'])
      expect(object.rows[0].object).toMatchObject({
        kind: 'PartialObjectMetadata',
        metadata: {
          resourceVersion: object.metadata.resourceVersion,
          annotations: { 'k8s.io/initial-events-end': 'true' },
        },
      })
      events.close()
    })

    it('is not used for an error event', async () => {
      const from = '&resourceVersion=abc'
      const { code, body } = await api.call('GET', `${maps}?watch=true${from}`, { headers: { accept } })
      expect([code >= 400, body.kind]).toEqual([true, 'Status'])
    })
  })
}
