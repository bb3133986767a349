import { type FieldPath, namesOfPath } from '@slipway/kube/field-mask'
import { queryString } from '@slipway/kube/path'
import { asKubeObject, type KubeObject } from '@slipway/kube/object'
import { apiVersionOf, type ResourceType } from '@slipway/kube/resource-type'
import type { SelectorOperator } from '@slipway/kube/selector'
import { ApiError, isRejection } from '@slipway/kube/status'
import { snapshotKeys } from '@slipway/model/runs/run-actions'
import { type MetadataKey, shaKeys } from '@slipway/model/git/git-facts'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../client'
import { queryClient } from '../query-client'
import type { ArchivePage, ArchiveRequest, ArchiveSelection } from './request'

/** Tekton Results, the database of finished runs. Source: tektoncd/results, docs/api. */

const pageSize = { default: 30, min: 5, max: 10_000 } as const

const parentPath = (namespace: string): string =>
  `/plugins/tekton-results/apis/results.tekton.dev/v1alpha2/parents/${encodeURIComponent(namespace)}/results`

/** @throws ApiError with code 404 if Tekton Results is not installed */
export async function listRecords<T extends KubeObject>(
  type: ResourceType<T>,
  { limit, ...selection }: ArchiveSelection & { exactName?: string },
  { token, signal, where, pageSize: size = pageSize.default, mask }: ArchiveRequest = {},
): Promise<ArchivePage<T>> {
  const query = queryString({
    order_by: 'create_time desc',
    page_size: Math.min(Math.max(limit ?? size, pageSize.min), pageSize.max),
    page_token: token,
    PartialResponse: true,
    // The page of one object shows more of it than any list.
    fields: selection.exactName ? 'records.name,records.data.value' : recordFields(type, mask),
    filter: recordsFilter(type, selection, where),
  })
  const path = `${parentPath(selection.namespace)}/-/records${query}`
  // A page without records is sent as an empty object.
  const response = (await client.request<RecordsResponse | null>(path, { signal })) ?? {}
  const records = Array.isArray(response.records) ? response.records : []
  if (records.length === 0 && token === undefined) await queryClient.fetchQuery(databaseProbe(selection.namespace))
  const items = records.flatMap((record) => objectOf<T>(record) ?? [])
  // The page may have more records than the limit, since a page has a minimum size.
  if (limit !== undefined) return { items: items.slice(0, limit) }
  return { items, next: response.nextPageToken || response.next_page_token || undefined }
}

/**
 * While its database fails, the service (v0.20) responds to a list with an empty page, but to the request of a record with
 * an error. So an empty list counts only if the record that no namespace has is missing.
 */
const databaseProbe = (namespace: string) =>
  queryOptions({
    queryKey: ['archive', 'tekton-results', 'database', namespace],
    queryFn: ({ signal }) =>
      client.request(`${parentPath(namespace)}/-/records/-`, { signal }).then(
        () => true,
        (error: unknown) => {
          if (!isRejection(error) || error.isSessionEnd) throw error
          return true
        },
      ),
    staleTime: 30_000,
    // The list is repeated.
    retry: false,
  })

/** The log of all steps of a task, each below a line with its container. @throws ApiError with code 404 if missing */
export async function recordedLog(
  { namespace, pipelineRunUid, taskRunUid }: { namespace: string; pipelineRunUid: string; taskRunUid: string },
  signal?: AbortSignal,
): Promise<string> {
  const log = `${encodeURIComponent(pipelineRunUid)}/logs/${encodeURIComponent(taskRunUid)}`
  return client.text(`${parentPath(namespace)}/${log}`, { signal })
}

interface RecordsResponse {
  records?: (ResultsRecord | null)[]
  nextPageToken?: string
  next_page_token?: string
}

export interface ResultsRecord {
  name: string
  /** `value` is JSON in base64. */
  data: { value: string }
}

/** @returns `undefined` for a record that does not contain an object */
export function objectOf<T extends KubeObject>(record: Partial<ResultsRecord> | null): T | undefined {
  try {
    const bytes = Uint8Array.from(atob(record?.data?.value ?? ''), (char) => char.charCodeAt(0))
    // The filter names the kind, so the object is of that type.
    const object = asKubeObject<T>(JSON.parse(new TextDecoder().decode(bytes), withoutNull))
    if (object?.metadata.name) return object
  } catch {
    // Reported below.
  }
  console.warn(`The Tekton Results record ${String(record?.name)} is not valid and was ignored.`)
  return undefined
}

/** A field that an object does not have is null if it was requested. In the cluster, it is absent. */
function withoutNull(this: unknown, _: string, value: unknown): unknown {
  return value === null && !Array.isArray(this) ? undefined : value
}

/** Objects of the current API version, and those archived under the previous one. */
const dataTypesOf = (type: ResourceType): string[] =>
  [apiVersionOf(type), `${type.group}/v1beta1`].map((apiVersion) => `${apiVersion}.${type.kind}`)

const commonFields = [
  'apiVersion',
  'kind',
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'metadata.creationTimestamp',
  'metadata.ownerReferences',
  'spec.params',
  'spec.status',
  'status.conditions',
  'status.results',
  'status.startTime',
  'status.completionTime',
]
const fieldsOfKind: Partial<Record<string, string[]>> = {
  PipelineRun: ['status.pipelineSpec', 'status.pipelineResults', 'status.skippedTasks', 'status.childReferences'],
  TaskRun: ['spec.taskRef', 'status.podName', 'status.steps', 'status.taskResults', 'status.taskSpec.description'],
}

/** The fields that identify an object, fetched with every mask. */
const identity = ['apiVersion', 'kind', 'metadata.name', 'metadata.namespace', 'metadata.uid']

function recordFields({ kind }: ResourceType, mask: ArchiveRequest['mask']): string {
  const all = [...commonFields, ...(fieldsOfKind[kind] ?? [])]
  const fields = mask ? [...new Set([...identity, ...mask.map(shortened)])] : all
  return ['records.name', ...fields.map((field) => `records.data.value.${field}`), 'next_page_token'].join(',')
}

/** The service supports neither keys of maps nor fields of list items. */
const shortened = (path: FieldPath): string => namesOfPath(path).slice(0, 2).join('.')

/** Writes a CEL string: a JSON string is one. */
const text = JSON.stringify
const label = (key: string) => `data.metadata.labels[${text(key)}]`

/**
 * The CEL filter for a selection of records.
 * @param where an additional condition
 * @throws Error for an operator that has no equivalent
 */
export function recordsFilter(
  type: ResourceType,
  {
    labels = {},
    name,
    createdAfter,
    commit,
    snapshot,
    exactName,
  }: Omit<ArchiveSelection, 'namespace'> & { exactName?: string },
  where?: string,
): string {
  const { matchLabels = {}, matchExpressions = [] } = labels
  const part = name?.trim().toLowerCase()
  return [
    `data_type in ${text(dataTypesOf(type))}`,
    createdAfter &&
      !Number.isNaN(Date.parse(createdAfter)) &&
      `data.metadata.creationTimestamp > ${text(createdAfter)}`,
    exactName && `data.metadata.name == ${text(exactName)}`,
    part && `data.metadata.name.contains(${text(part)})`,
    commit && anyOf(shaKeys, commit),
    snapshot && anyOf(snapshotKeys, snapshot),
    ...Object.entries(matchLabels).map(([key, value]) => `${label(key)} == ${text(value)}`),
    ...matchExpressions.map(expressionFilter),
    where,
  ]
    .filter(Boolean)
    .join(' && ')
}

/** Whether one of these labels and annotations has the value. */
const anyOf = (keys: readonly MetadataKey[], value: string): string => {
  const tests = keys.map(([where, key]) => `data.metadata.${where}[${text(key)}] == ${text(value)}`)
  return `(${tests.join(' || ')})`
}

interface Expression {
  key: string
  operator: SelectorOperator
  values?: string[]
}

function expressionFilter({ key, operator, values = [] }: Expression): string {
  switch (operator) {
    case 'Exists':
      return `data.metadata.labels.contains(${text(key)})`
    case 'DoesNotExist':
      return `!data.metadata.labels.contains(${text(key)})`
    case 'Equals':
      return `${label(key)} == ${text(values[0] ?? '')}`
    case 'NotEquals':
      return `${label(key)} != ${text(values[0] ?? '')}`
    case 'In':
      return `${label(key)} in ${text(values)}`
    case 'NotIn':
      return values.map((value) => `${label(key)} != ${text(value)}`).join(' && ')
    case 'GreaterThan':
      return `${label(key)} > ${Number(values[0])}`
    case 'LessThan':
      return `${label(key)} < ${Number(values[0])}`
    default:
      throw new Error(`Tekton results operator ${String(operator)} conversion not implemented.`)
  }
}

/** The error for a log that is not archived, or that the user may not read. */
export const missingLog = (task: string, url: string, cause: unknown): ApiError =>
  new ApiError({
    code: 404,
    reason: 'NotFound',
    url,
    message: `Logs are no longer accessible for ${task} task`,
    cause,
  })
