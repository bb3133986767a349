import { apiVersionOf } from '@slipway/kube/resource-type'
import type { Condition, KubeObject } from '@slipway/kube/object'
import { asRecord, parseJson } from '@slipway/kube/parse'
import type { ArchivedObject } from '../store/store'
import { maskBelow, masked, maskedJson, type FieldMask } from './fields'
import { objectNameKey, pipelineLabel, resultAnnotations } from './views'

/** Converts archived objects to messages of the service, in the JSON of its HTTP gateway. */

/** `tekton.dev/v1.PipelineRun`. */
export const dataTypeOf = (archived: Pick<ArchivedObject, 'group' | 'version' | 'kind'>): string =>
  `${apiVersionOf(archived)}.${archived.kind}`

const resultNameOf = ({ namespace, resultUid }: ArchivedObject) => `${namespace}/results/${resultUid}`
const recordNameOf = (archived: ArchivedObject) => `${resultNameOf(archived)}/records/${archived.uid}`

const identity = (archived: ArchivedObject) => {
  const createTime = timeOf(archived.createdMs)
  const updateTime = timeOf(archived.updatedMs)
  return {
    id: archived.uid,
    uid: archived.uid,
    created_time: createTime,
    create_time: createTime,
    updated_time: updateTime,
    update_time: updateTime,
    etag: `${archived.uid}-${archived.updatedMs}000000`,
  }
}

const timeOf = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z')

/** @param mask of the record; the fields of the object are those under `data.value` */
export function recordOf(archived: ArchivedObject, mask: FieldMask): unknown {
  const valueMask = maskBelow(maskBelow(mask, 'data'), 'value')
  const value = valueMask && Buffer.from(maskedJson(archived.json, valueMask)).toString('base64')
  // The value is text by now, in which nothing can be masked.
  return masked(
    { name: recordNameOf(archived), ...identity(archived), data: { type: dataTypeOf(archived), value } },
    mask,
  )
}

type Run = KubeObject & {
  status?: { conditions?: Condition[]; startTime?: string; completionTime?: string }
}

/** The result whose root is this object. */
export function resultOf(archived: ArchivedObject, mask: FieldMask): unknown {
  const run = JSON.parse(archived.json) as Run // Archived from the API; any field may be absent.
  const status = summaryStatusOf(run)
  const { startTime, completionTime } = run.status ?? {}
  const summary = {
    record: recordNameOf(archived),
    type: dataTypeOf(archived),
    ...(startTime && { start_time: startTime }),
    ...(completionTime && { end_time: completionTime }),
    ...(status && { status }),
    ...unlessEmpty('annotations', annotationsOf(run, resultAnnotations.summary)),
  }
  const pipeline = run.metadata.labels?.[pipelineLabel]
  const annotations = {
    ...annotationsOf(run, resultAnnotations.result),
    ...(pipeline !== undefined && { [pipelineLabel]: pipeline }),
    [objectNameKey]: archived.name,
  }
  return masked({ name: resultNameOf(archived), ...identity(archived), annotations, summary }, mask)
}

/** Messages omit what is empty. */
const unlessEmpty = (name: string, map: Record<string, string>) => (Object.keys(map).length > 0 ? { [name]: map } : {})

/** @returns `undefined` if the run has not finished */
function summaryStatusOf({ status }: Run): string | undefined {
  const succeeded = status?.conditions?.find(({ type }) => type === 'Succeeded')
  if (succeeded?.status === 'True') return 'SUCCESS'
  if (succeeded?.status !== 'False') return undefined
  if (['PipelineRunTimeout', 'TaskRunTimeout'].includes(succeeded.reason ?? '')) return 'TIMEOUT'
  if (['Cancelled', 'TaskRunCancelled', 'CancelledRunningFinally'].includes(succeeded.reason ?? '')) return 'CANCELLED'
  return 'FAILURE'
}

/** Parses untrusted JSON from an annotation; invalid JSON counts as absent. */
function annotationsOf({ metadata }: Run, key: string): Record<string, string> {
  const entries = Object.entries(asRecord(parseJson(metadata.annotations?.[key] ?? '')))
  return Object.fromEntries(entries.map(([name, item]) => [name, String(item)]))
}

/** The name of a task in its pipeline, or else of its task run. */
export function taskNameOf({ json, name }: ArchivedObject): string {
  const { metadata } = JSON.parse(json) as KubeObject // Archived from the API.
  return metadata.labels?.['tekton.dev/pipelineTask'] ?? name
}
