import { namespaceType, roleBindingType, roleType } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { defineResource } from '@slipway/kube/resource-type'
import { describe, expect, it, test } from 'vitest'
import type { PrinterColumn } from '../apiextensions/crd'
import { humanDuration } from './age'
import { parseJsonPath } from './json-path'
import { includeObjectOf, representationOf, type Representation } from './representation'
import { metadataOf, tableOf, type TableOptions } from './table'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

test.each([
  [-2 * second, '<invalid>'],
  [-1 * second, '0s'],
  [0, '0s'],
  [119 * second, '119s'],
  [2 * minute, '2m'],
  [3 * minute + 20 * second, '3m20s'],
  [10 * minute + 20 * second, '10m'],
  [179 * minute, '179m'],
  [3 * hour, '3h'],
  [7 * hour + 59 * minute, '7h59m'],
  [8 * hour + 59 * minute, '8h'],
  [47 * hour, '47h'],
  [2 * day, '2d'],
  [3 * day + 4 * hour, '3d4h'],
  [8 * day + 4 * hour, '8d'],
  [729 * day, '729d'],
  [2 * 365 * day, '2y'],
  [2 * 365 * day + 5 * day, '2y5d'],
  [9 * 365 * day, '9y'],
])('a duration of %d ms is printed as %s', (duration, text) => {
  expect(humanDuration(duration)).toBe(text)
})

const kubectl =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json'
test.each<[string | null, Representation | undefined]>([
  [null, 'Object'],
  ['', 'Object'],
  ['*/*', 'Object'],
  ['application/json', 'Object'],
  ['application/json;stream=watch', 'Object'],
  [kubectl, 'Table'],
  ['application/json; as=PartialObjectMetadataList; g=meta.k8s.io; v=v1', 'PartialObjectMetadataList'],
  ['application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json', 'Object'],
  ['application/json;as=Table;v=v2;g=meta.k8s.io', undefined],
  ['application/json;q=0.5,application/json;as=Table;v=v1;g=meta.k8s.io', 'Table'],
  ['application/vnd.kubernetes.protobuf,application/json', 'Object'],
  ['application/vnd.kubernetes.protobuf', undefined],
  ['text/html', undefined],
])('an Accept header of %s selects the representation %s', (accept, representation) => {
  expect(representationOf(accept)).toBe(representation)
})

test.each([
  [null, 'Metadata'],
  ['None', 'None'],
  ['Object', 'Object'],
  ['object', undefined],
])('includeObject=%s means %s', (value, include) => {
  expect(includeObjectOf(value)).toBe(include)
})

const run = {
  metadata: { name: 'r', labels: { 'a.b/c': 'label' } },
  status: {
    steps: ['one', 'two'],
    conditions: [
      { type: 'Other', reason: 'X' },
      { type: 'Succeeded', reason: 'Done', status: 'True' },
    ],
  },
}
test.each<[string, unknown[] | undefined]>([
  ['.metadata.name', ['r']],
  ['{.metadata.name}', ['r']],
  ["['metadata']['name']", ['r']],
  ['.metadata.labels.a\\.b/c', ['label']],
  ['.status.steps[0]', ['one']],
  ['.status.conditions[-1].reason', ['Done']],
  ['.status.conditions[*].reason', ['X', 'Done']],
  ['.status.conditions[?(@.type=="Succeeded")].reason', ['Done']],
  [".status.conditions[?(@.type=='Gone')].reason", []],
  ['.status.nothing.at.all', []],
  ['.constructor', []],
  ['.status..reason', undefined],
  ['.status[?(@.a>1)]', undefined],
])('the JSONPath %s finds %j', (path, found) => {
  expect(parseJsonPath(path)?.(run)).toEqual(found)
})

const now = Date.parse('2026-01-04T00:00:00Z')
const created = '2026-01-01T00:00:00Z'
const runType = defineResource({ group: 'x.io', version: 'v1', kind: 'Run', plural: 'runs', namespaced: true })
const columns: PrinterColumn[] = [
  { name: 'Status', type: 'string', jsonPath: '.status.phase' },
  { name: 'Steps', type: 'integer', jsonPath: '.status.steps', priority: 1 },
  { name: 'Started', type: 'date', jsonPath: '.status.started' },
  { name: 'Labels', type: 'string', jsonPath: '.metadata.labels' },
]
interface Table {
  metadata: object
  columnDefinitions: { name: string; type: string; priority: number }[]
  rows: { cells: unknown[]; object?: unknown }[]
}
const table = (answer: Parameters<typeof tableOf>[0], options: Partial<TableOptions> = {}) =>
  tableOf(answer, { type: runType, now, ...options }) as Table
const object = (more: object = {}): KubeObject => ({ metadata: { name: 'a', creationTimestamp: created }, ...more })

describe('a table of a custom kind', () => {
  it('starts with the name, followed by the declared columns with their types and priorities', () => {
    const { columnDefinitions } = table(object(), { columns })
    expect(columnDefinitions[1]).toMatchObject({
      description: 'Custom resource definition column (in JSONPath format): .status.phase',
    })
    expect(columnDefinitions.map(({ name, type, priority }) => [name, type, priority])).toEqual([
      ['Name', 'string', 0],
      ['Status', 'string', 0],
      ['Steps', 'integer', 1],
      ['Started', 'date', 0],
      ['Labels', 'string', 0],
    ])
  })

  it.each<[string, object, unknown[]]>([
    ['missing values', {}, ['a', null, null, null, null]],
    ['values', { status: { phase: 'Up', steps: 3, started: created } }, ['a', 'Up', 3, '3d', null]],
    [
      'values of the wrong types',
      { status: { phase: 7, steps: 'x', started: 'soon' } },
      ['a', '7', null, '<invalid>', null],
    ],
    ['a null', { status: { phase: null } }, ['a', null, null, null, null]],
    ['an object as text', { metadata: { name: 'a', labels: { b: 'c' } } }, ['a', null, null, null, '{"b":"c"}']],
  ])('shows %s', (_, more, cells) => {
    expect(table(object(more), { columns }).rows[0]?.cells).toEqual(cells)
  })

  it('shows the age if no columns are declared', () => {
    expect(table(object(), { isCustom: true })).toMatchObject({
      columnDefinitions: [{ name: 'Name' }, { name: 'Age', type: 'date' }],
      rows: [{ cells: ['a', '3d'] }],
    })
  })
})

it('a table has the version and token of a list, or the version of an object', () => {
  const list = { metadata: { resourceVersion: '7', continue: 't' }, items: [object(), object()] }
  expect(table(list)).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: list.metadata })
  expect(table(list).rows).toHaveLength(2)
  const one = { metadata: { name: 'a', resourceVersion: '5' } }
  expect(table(one)).toMatchObject({
    metadata: { resourceVersion: '5' },
    rows: [{ cells: ['a', '0001-01-01T00:00:00Z'] }],
  })
})

it('table rows contain the requested part of each object', () => {
  const given = object({ spec: { x: 1 } })
  const { metadata } = given
  expect(table(given).rows[0]?.object).toEqual({
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
  })
  expect(table(given, { includeObject: 'None' }).rows[0]?.object).toBeNull()
  expect(table(given, { includeObject: 'Object' }).rows[0]?.object).toEqual({
    apiVersion: 'x.io/v1',
    kind: 'Run',
    metadata,
    spec: { x: 1 },
  })
})

it('metadataOf returns only metadata', () => {
  expect(metadataOf({ metadata: { resourceVersion: '1' }, items: [object({ spec: {} })] })).toEqual({
    kind: 'PartialObjectMetadataList',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: '1' },
    items: [{ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object().metadata }],
  })
})

describe('built-in kinds', () => {
  const core = (kind: string) => ({ group: '', version: 'v1', kind, plural: 'x', namespaced: true })
  const crd = { ...core('CustomResourceDefinition'), group: 'apiextensions.k8s.io' }
  const running = { ready: true, restartCount: 2, state: { running: {} } }
  const spec = { containers: [{ name: 'c' }, { name: 'd' }] }
  const pod = (status: object, metadata: object = {}) => ({
    metadata: { ...object().metadata, ...metadata },
    spec,
    status,
  })

  it.each<[string, TableOptions['type'], object, unknown[]]>([
    ['a namespace', namespaceType, { status: { phase: 'Active' } }, ['a', 'Active', '3d']],
    ['a secret', core('Secret'), { type: 'Opaque', data: { x: '' } }, ['a', 'Opaque', 1, '3d']],
    ['a config map', core('ConfigMap'), { data: { x: '' }, binaryData: { y: '' } }, ['a', 2, '3d']],
    ['a service account', core('ServiceAccount'), {}, ['a', '3d']],
    ['a role', roleType, { rules: [] }, ['a', created]],
    ['a definition', crd, {}, ['a', created]],
    [
      'a binding',
      roleBindingType,
      {
        roleRef: { kind: 'ClusterRole', name: 'r' },
        subjects: [
          { kind: 'User', name: 'u' },
          { kind: 'User', name: 'v' },
          { kind: 'Group', name: 'g' },
          { kind: 'ServiceAccount', name: 's', namespace: 'n' },
        ],
      },
      ['a', 'ClusterRole/r', '3d', 'u, v', 'g', 'n/s'],
    ],
    [
      'an event',
      core('Event'),
      {
        involvedObject: { kind: 'Pod', name: 'p' },
        type: 'Warning',
        reason: 'Failed',
        message: 'It failed\n',
        lastTimestamp: '2026-01-03T23:59:00Z',
        firstTimestamp: created,
        count: 4,
        source: { component: 'kubelet', host: 'h' },
      },
      ['60s', 'Warning', 'Failed', 'pod/p', '', 'kubelet, h', 'It failed', '3d', 4, 'a'],
    ],
    [
      'a claim',
      core('PersistentVolumeClaim'),
      {
        spec: { volumeName: 'v', storageClassName: 's' },
        status: { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] },
      },
      ['a', 'Bound', 'v', '1Gi', 'RWO', 's', '<unset>', '3d', '<unset>'],
    ],
    [
      'a running pod',
      core('Pod'),
      pod({ phase: 'Running', containerStatuses: [running, { ...running, ready: false }] }),
      ['a', '1/2', 'Running', '4', '3d', '<none>', '<none>', '<none>', '<none>'],
    ],
  ])('%s', (_, type, more, cells) => {
    expect(table(object(more), { type }).rows[0]?.cells).toEqual(cells)
  })

  it.each<[string, object, unknown[]]>([
    ['a series', { count: 1, series: { count: 9, lastObservedTime: '2026-01-03T23:59:30Z' } }, ['30s', 9]],
    ['a single event', { eventTime: '2026-01-03T23:59:50.000000Z' }, ['10s', 1]],
  ])('an event: %s', (_, more, expected) => {
    const [row] = table(object(more), { type: core('Event') }).rows
    expect([row?.cells[0], row?.cells[8]]).toEqual(expected)
  })

  it('an event of events.k8s.io/v1 shows its reporting controller', () => {
    const given = object({ involvedObject: { kind: 'Node' }, reportingComponent: 'c', reportingInstance: 'c-1' })
    const [row] = table(given, { type: core('Event') }).rows
    expect([row?.cells[3], row?.cells[5]]).toEqual(['node', 'c, c-1'])
  })
})
