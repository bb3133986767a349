import type { RoleBinding, Subject } from '@slipway/kube/core-types'
import { nameOf, isRecord } from '@slipway/kube/object'
import { apiVersionOf, type ResourceType } from '@slipway/kube/resource-type'
import { asRecord } from '@slipway/kube/parse'
import { coreEventOf } from '../builtin/events'
import type { AnyObject } from '../resource'
import { ageOf } from './age'
import { ageColumn, column, createdAtColumn, nameColumn, wide, type Column } from './column'
import { podColumns } from './pod-columns'

/** Columns of built-in kinds. Source: pkg/printers/internalversion of Kubernetes. */
export const builtinColumns = (type: ResourceType): readonly Column[] | undefined => {
  const key = `${apiVersionOf(type)} ${type.kind}`
  return Object.hasOwn(columns, key) ? columns[key] : undefined
}

const part = (object: AnyObject, name: string): Record<string, unknown> => asRecord(object[name])
const sizeOf = (value: unknown): number =>
  Array.isArray(value) ? value.length : isRecord(value) ? Object.keys(value).length : 0

const subjectsOf = (binding: AnyObject, kind: Subject['kind']): string =>
  ((binding as unknown as RoleBinding).subjects ?? []) // Only called for bindings.
    .filter((subject) => subject.kind === kind)
    .map(({ name, namespace }) => (kind === 'ServiceAccount' && namespace ? `${namespace}/${name}` : name))
    .join(', ')

const bindingColumns: readonly Column[] = [
  nameColumn,
  column('Role', (object) => `${part(object, 'roleRef')['kind']}/${part(object, 'roleRef')['name']}`),
  ageColumn,
  column('Users', (object) => subjectsOf(object, 'User'), wide),
  column('Groups', (object) => subjectsOf(object, 'Group'), wide),
  column('ServiceAccounts', (object) => subjectsOf(object, 'ServiceAccount'), wide),
]

const eventColumns: readonly Column[] = [
  column('Last Seen', lastSeen),
  column('Type', (object) => object['type'] ?? ''),
  column('Reason', (object) => object['reason'] ?? ''),
  column('Object', (object) => {
    const { kind, name } = part(object, 'involvedObject')
    return [String(kind ?? '').toLowerCase(), name].filter(Boolean).join('/')
  }),
  column('Subobject', (object) => part(object, 'involvedObject')['fieldPath'] ?? '', wide),
  column('Source', (object) => sourceOf(object), wide),
  column('Message', (object) => String(object['message'] ?? '').trim()),
  column('First Seen', (object, nowMs) => ageOf(object['firstTimestamp'] ?? object['eventTime'], nowMs), wide),
  column('Count', (object) => countOf(object), wide),
  column('Name', nameOf, { ...wide, format: 'name' }),
]

const countOf = (object: AnyObject): unknown => {
  const { series, count } = object
  // A single event of events.k8s.io/v1 has no count.
  return isRecord(series) ? (series['count'] ?? 0) : count || 1
}

function lastSeen(object: AnyObject, nowMs: number): string {
  const time = part(object, 'series')['lastObservedTime'] ?? object['lastTimestamp']
  return ageOf(time ?? object['firstTimestamp'] ?? object['eventTime'], nowMs)
}

function sourceOf(object: AnyObject): string {
  const { component, host } = part(object, 'source')
  const instance = host || object['reportingInstance']
  return `${component || object['reportingComponent'] || ''}${instance ? `, ${instance}` : ''}`
}

const accessModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}
/** Each mode once, in the order of `accessModes`. */
const modesOf = (modes: unknown): string =>
  Object.keys(accessModes)
    .filter((mode) => Array.isArray(modes) && modes.includes(mode))
    .map((mode) => accessModes[mode])
    .join(',')

const volumeClaimColumns: readonly Column[] = [
  nameColumn,
  column('Status', ({ metadata, status }) =>
    metadata.deletionTimestamp ? 'Terminating' : ((isRecord(status) ? status['phase'] : undefined) ?? ''),
  ),
  column('Volume', (object) => part(object, 'spec')['volumeName'] ?? ''),
  column('Capacity', (object) => {
    const { capacity } = part(object, 'status')
    if (!part(object, 'spec')['volumeName']) return ''
    return isRecord(capacity) ? (capacity['storage'] ?? '0') : '0'
  }),
  column('Access Modes', (object) =>
    part(object, 'spec')['volumeName'] ? modesOf(part(object, 'status')['accessModes']) : '',
  ),
  column('StorageClass', ({ metadata, spec }) => {
    const byAnnotation = metadata.annotations?.['volume.beta.kubernetes.io/storage-class']
    return byAnnotation ?? (isRecord(spec) ? spec['storageClassName'] : undefined) ?? ''
  }),
  column('VolumeAttributesClass', (object) => part(object, 'spec')['volumeAttributesClassName'] ?? '<unset>'),
  ageColumn,
  column('VolumeMode', (object) => part(object, 'spec')['volumeMode'] ?? '<unset>', wide),
]

const columns: Readonly<Record<string, readonly Column[]>> = {
  'v1 Namespace': [nameColumn, column('Status', (object) => part(object, 'status')['phase'] ?? ''), ageColumn],
  'v1 Secret': [
    nameColumn,
    column('Type', (object) => object['type'] ?? ''),
    column('Data', (object) => sizeOf(object['data'])),
    ageColumn,
  ],
  'v1 ConfigMap': [
    nameColumn,
    column('Data', (object) => sizeOf(object['data']) + sizeOf(object['binaryData'])),
    ageColumn,
  ],
  'v1 ServiceAccount': [nameColumn, ageColumn],
  'v1 Pod': podColumns,
  'v1 Event': eventColumns,
  'events.k8s.io/v1 Event': eventColumns.map((column) => ({
    ...column,
    cell: (object, nowMs) => column.cell(coreEventOf(object), nowMs),
  })),
  'coordination.k8s.io/v1 Lease': [
    nameColumn,
    column('Holder', (object) => part(object, 'spec')['holderIdentity'] ?? ''),
    ageColumn,
  ],
  'v1 LimitRange': [nameColumn, createdAtColumn],
  'v1 PersistentVolumeClaim': volumeClaimColumns,
  'rbac.authorization.k8s.io/v1 Role': [nameColumn, createdAtColumn],
  'rbac.authorization.k8s.io/v1 ClusterRole': [nameColumn, createdAtColumn],
  'rbac.authorization.k8s.io/v1 RoleBinding': bindingColumns,
  'rbac.authorization.k8s.io/v1 ClusterRoleBinding': bindingColumns,
  'apiextensions.k8s.io/v1 CustomResourceDefinition': [nameColumn, createdAtColumn],
}
