import { isSameJson } from '@slipway/kube/json'
import { qualifiedNameErrors } from '@slipway/kube/label-syntax'
import { isRecord } from '@slipway/kube/object'
import type { StatusCause } from '@slipway/kube/status'
import type { AnyObject } from '../resource'
import { invalid, required } from '../field-error'

/** Source: pkg/apis/core/validation/events.go of Kubernetes. */

const maxLength = 128
const maxNoteLength = 1024

/**
 * @param event in the form of the core group
 * @param v1 set if it was written through events.k8s.io/v1, which is stricter and has its own field names
 */
export function eventCauses(event: AnyObject, { v1 }: { v1?: { old?: AnyObject } } = {}): StatusCause[] {
  const causes = namespaceCauses(event)
  const hasTime = !!event['eventTime']
  const controller = v1 ? 'reportingController' : 'reportingComponent'
  if (v1 && !v1.old && !hasTime) causes.push(required('eventTime'))
  if (hasTime) {
    const { reportingComponent, reportingInstance, action, reason, message } = event
    causes.push(...textCauses(controller, reportingComponent, Infinity))
    if (reportingComponent) {
      const details = qualifiedNameErrors(String(reportingComponent))
      causes.push(...details.map((detail) => invalid(controller, reportingComponent, detail)))
    }
    causes.push(...textCauses('reportingInstance', reportingInstance, maxLength))
    causes.push(...textCauses('action', action, maxLength), ...textCauses('reason', reason, maxLength))
    if (String(message ?? '').length > maxNoteLength) {
      causes.push(invalid('message', '', `can have at most ${maxNoteLength} characters`))
    }
  }
  if (!v1) return causes
  return [...causes, ...(v1.old ? changeCauses(event, v1.old) : newCauses(event))]
}

/** Fields of the core group that events.k8s.io/v1 forbids on new events. */
const deprecated = ['firstTimestamp', 'lastTimestamp', 'count', 'source']

const newCauses = (event: AnyObject): StatusCause[] => [
  ...(event['type'] === 'Normal' || event['type'] === 'Warning'
    ? []
    : [invalid('type', '', `has invalid value: ${String(event['type'] ?? '')}`)]),
  ...deprecated.filter((field) => isSet(event[field])).map((field) => invalid(field, '', 'needs to be unset')),
]

/** Go always has a `source`, so an empty one counts as absent. */
const isSet = (value: unknown): boolean => (isRecord(value) ? Object.keys(value).length > 0 : Boolean(value))

const immutable = [
  ...['involvedObject', 'reason', 'message', 'source', 'firstTimestamp', 'lastTimestamp', 'count', 'type', 'eventTime'],
  ...['action', 'related', 'reportingComponent', 'reportingInstance'],
]

/** Updates through events.k8s.io/v1 may change only the series and the metadata of an event. */
const changeCauses = (event: AnyObject, old: AnyObject): StatusCause[] =>
  immutable
    .filter((field) => !isSameJson(event[field], old[field]))
    .map((field) => {
      const name = field === 'reportingComponent' ? 'reportingController' : field
      return invalid(name, event[field], 'field is immutable')
    })

/** An event must be in the namespace of its object; for a cluster-scoped object, in `default`. */
function namespaceCauses({ metadata, involvedObject, eventTime }: AnyObject): StatusCause[] {
  const namespace = isRecord(involvedObject) ? String(involvedObject['namespace'] ?? '') : ''
  const clusterScopedNamespaces = eventTime ? ['default', 'kube-system'] : ['default']
  const eventNamespace = metadata.namespace ?? ''
  if (namespace === eventNamespace || (namespace === '' && clusterScopedNamespaces.includes(eventNamespace))) return []
  return [invalid('involvedObject.namespace', namespace, 'does not match event.namespace')]
}

function textCauses(field: string, value: unknown, limit: number): StatusCause[] {
  const text = String(value ?? '')
  if (text === '') return [required(field)]
  return text.length > limit ? [invalid(field, '', `can have at most ${limit} characters`)] : []
}
