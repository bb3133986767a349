import { apiVersionOf } from '@slipway/kube/resource-type'
import type { Condition, KubeObject } from '@slipway/kube/object'
import { asRecord, parseJson } from '@slipway/kube/parse'
import type { ArchivedObject } from '../store/store'
import { maskBelow, masked, type FieldMask } from './fields'
import { resultAnnotations } from './views'

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
    createdTime: createTime,
    createTime,
    updatedTime: updateTime,
    updateTime,
    etag: `${archived.uid}-${archived.updatedMs}000000`,
  }
}

const timeOf = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z')
const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** @param mask fields to include, those of the data under `data.value` */
export function recordOf(archived: ArchivedObject, mask?: FieldMask): object {
  const whole = (value: string) => ({
    name: recordNameOf(archived),
    ...identity(archived),
    data: { type: dataTypeOf(archived), value },
  })
  if (!mask || mask.size === 0) return whole(base64(archived.json))
  const dataMask = maskBelow(mask, 'data')
  const valueMask = dataMask && (dataMask.size === 0 ? dataMask : dataMask.get('value'))
  const json = valueMask?.size ? JSON.stringify(masked(JSON.parse(archived.json), valueMask)) : archived.json
  // The value is text by now, so nothing in it can be masked.
  const outer: FieldMask = new Map([...mask].map(([name, inner]) => [camelCase(name), inner]))
  if (dataMask && dataMask.size > 0) {
    outer.set('data', new Map([...dataMask].map(([name, inner]) => [name, name === 'value' ? new Map() : inner])))
  }
  return masked(whole(valueMask ? base64(json) : ''), outer) as object // The result of masking an object.
}

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

type Run = KubeObject & {
  status?: { conditions?: Condition[]; startTime?: string; completionTime?: string }
}

/** The result whose root is this object. */
export function resultOf(archived: ArchivedObject): object {
  const run = JSON.parse(archived.json) as Run // Archived from the API; any field may be absent.
  const summary = {
    record: recordNameOf(archived),
    type: dataTypeOf(archived),
    startTime: run.status?.startTime ?? null,
    endTime: run.status?.completionTime ?? null,
    status: summaryStatusOf(run),
    annotations: annotationsOf(run, resultAnnotations.summary),
  }
  const annotations = annotationsOf(run, resultAnnotations.result)
  return { name: resultNameOf(archived), ...identity(archived), annotations, summary }
}

function summaryStatusOf({ status }: Run): string {
  const succeeded = status?.conditions?.find(({ type }) => type === 'Succeeded')
  if (succeeded?.status === 'True') return 'SUCCESS'
  if (succeeded?.status !== 'False') return 'UNKNOWN'
  if (['PipelineRunTimeout', 'TaskRunTimeout'].includes(succeeded.reason ?? '')) return 'TIMEOUT'
  if (['Cancelled', 'TaskRunCancelled', 'CancelledRunningFinally'].includes(succeeded.reason ?? '')) return 'CANCELLED'
  return 'FAILURE'
}

/** Parses untrusted JSON from an annotation; invalid JSON counts as absent. */
function annotationsOf({ metadata }: Run, key: string): Record<string, string> {
  const entries = Object.entries(asRecord(parseJson(metadata.annotations?.[key] ?? '')))
  return Object.fromEntries(entries.map(([name, item]) => [name, String(item)]))
}
