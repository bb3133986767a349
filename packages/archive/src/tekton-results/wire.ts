import { apiVersionOf } from '@slipway/kube/resource-type'
import type { Condition, KubeObject } from '@slipway/kube/object'
import type { ArchivedObject } from '../store/store'
import { maskBelow, masked, type FieldMask } from './fields'
import { resultAnnotations } from './views'

/** Kept objects as the messages of the service, in the JSON of its HTTP gateway. */

/** `tekton.dev/v1.PipelineRun`. */
export const dataTypeOf = (kept: Pick<ArchivedObject, 'group' | 'version' | 'kind'>): string =>
  `${apiVersionOf(kept)}.${kept.kind}`

const resultNameOf = ({ namespace, resultUid }: ArchivedObject) => `${namespace}/results/${resultUid}`
const recordNameOf = (kept: ArchivedObject) => `${resultNameOf(kept)}/records/${kept.uid}`

const identity = (kept: ArchivedObject) => {
  const createTime = timeOf(kept.createdMs)
  const updateTime = timeOf(kept.updatedMs)
  return {
    id: kept.uid,
    uid: kept.uid,
    createdTime: createTime,
    createTime,
    updatedTime: updateTime,
    updateTime,
    etag: `${kept.uid}-${kept.updatedMs}000000`,
  }
}

const timeOf = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z')
const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** @param mask of the members wanted, those of the data below `data.value` */
export function recordOf(kept: ArchivedObject, mask?: FieldMask): object {
  const whole = (value: string) => ({
    name: recordNameOf(kept),
    ...identity(kept),
    data: { type: dataTypeOf(kept), value },
  })
  if (!mask || mask.size === 0) return whole(base64(kept.json))
  const dataMask = maskBelow(mask, 'data')
  const valueMask = dataMask && (dataMask.size === 0 ? dataMask : dataMask.get('value'))
  const json = valueMask?.size ? JSON.stringify(masked(JSON.parse(kept.json), valueMask)) : kept.json
  // Below its value nothing is masked any more: it is text now.
  const outer: FieldMask = new Map([...mask].map(([name, inner]) => [camelCase(name), inner]))
  if (dataMask && dataMask.size > 0) {
    outer.set('data', new Map([...dataMask].map(([name, inner]) => [name, name === 'value' ? new Map() : inner])))
  }
  return masked(whole(valueMask ? base64(json) : ''), outer) as object // Of an object.
}

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

type Run = KubeObject & {
  status?: { conditions?: Condition[]; startTime?: string; completionTime?: string }
}

/** The result whose root is this object. */
export function resultOf(kept: ArchivedObject): object {
  const run = JSON.parse(kept.json) as Run // Kept from the API; every member may be absent.
  const summary = {
    record: recordNameOf(kept),
    type: dataTypeOf(kept),
    startTime: run.status?.startTime ?? null,
    endTime: run.status?.completionTime ?? null,
    status: summaryStatusOf(run),
    annotations: annotationsOf(run, resultAnnotations.summary),
  }
  const annotations = annotationsOf(run, resultAnnotations.result)
  return { name: resultNameOf(kept), ...identity(kept), annotations, summary }
}

function summaryStatusOf({ status }: Run): string {
  const succeeded = status?.conditions?.find(({ type }) => type === 'Succeeded')
  if (succeeded?.status === 'True') return 'SUCCESS'
  if (succeeded?.status !== 'False') return 'UNKNOWN'
  if (['PipelineRunTimeout', 'TaskRunTimeout'].includes(succeeded.reason ?? '')) return 'TIMEOUT'
  if (['Cancelled', 'TaskRunCancelled', 'CancelledRunningFinally'].includes(succeeded.reason ?? '')) return 'CANCELLED'
  return 'FAILURE'
}

/** JSON that others have written into an annotation: nonsense counts as none. */
function annotationsOf({ metadata }: Run, key: string): Record<string, string> {
  try {
    const value: unknown = JSON.parse(metadata.annotations?.[key] ?? '{}')
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, String(item)]))
  } catch {
    return {}
  }
}
