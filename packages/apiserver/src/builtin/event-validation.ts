import { qualifiedNameErrors } from '@slipway/kube/label-syntax'
import { isRecord } from '@slipway/kube/object'
import type { StatusCause } from '@slipway/kube/status'
import type { AnyObject } from '../registry/resource'
import { isSameJson } from '../registry/equality'
import { invalid, required } from '../schema/field-error'

/** Source: pkg/apis/core/validation/events.go of Kubernetes. */

const maxLength = 128
const maxNoteLength = 1024

/**
 * @param event as the core group has it
 * @param newer given when it was written through the newer group, which asks for more, in names of its own
 */
export function eventCauses(event: AnyObject, { newer }: { newer?: { old?: AnyObject } } = {}): StatusCause[] {
  const causes = namespaceCauses(event)
  const hasTime = !!event['eventTime']
  const controller = newer ? 'reportingController' : 'reportingComponent'
  if (newer && !newer.old && !hasTime) causes.push(required('eventTime'))
  if (hasTime) {
    const { reportingComponent, reportingInstance, action, reason, message } = event
    causes.push(...textCauses(controller, reportingComponent, Infinity))
    if (reportingComponent) {
      const faults = qualifiedNameErrors(String(reportingComponent))
      causes.push(...faults.map((fault) => invalid(controller, reportingComponent, fault)))
    }
    causes.push(...textCauses('reportingInstance', reportingInstance, maxLength))
    causes.push(...textCauses('action', action, maxLength), ...textCauses('reason', reason, maxLength))
    if (String(message ?? '').length > maxNoteLength) {
      causes.push(invalid('message', '', `can have at most ${maxNoteLength} characters`))
    }
  }
  if (!newer) return causes
  return [...causes, ...(newer.old ? changeCauses(event, newer.old) : newCauses(event))]
}

/** Fields of the core group that the newer one has for older events only. */
const retired = ['firstTimestamp', 'lastTimestamp', 'count', 'source']

const newCauses = (event: AnyObject): StatusCause[] => [
  ...(event['type'] === 'Normal' || event['type'] === 'Warning'
    ? []
    : [invalid('type', '', `has invalid value: ${String(event['type'] ?? '')}`)]),
  ...retired.filter((field) => isSet(event[field])).map((field) => invalid(field, '', 'needs to be unset')),
]

/** Go has no absent `source`: an empty one is none. */
const isSet = (value: unknown): boolean => (isRecord(value) ? Object.keys(value).length > 0 : Boolean(value))

const immutable = [
  ...['involvedObject', 'reason', 'message', 'source', 'firstTimestamp', 'lastTimestamp', 'count', 'type', 'eventTime'],
  ...['action', 'related', 'reportingComponent', 'reportingInstance'],
]

/** Through the newer group only the series of an event changes, and its metadata. */
const changeCauses = (event: AnyObject, old: AnyObject): StatusCause[] =>
  immutable
    .filter((field) => !isSameJson(event[field], old[field]))
    .map((field) => {
      const shown = field === 'reportingComponent' ? 'reportingController' : field
      return invalid(shown, event[field], 'field is immutable')
    })

/** An event lives where its object does; those of cluster-wide objects in `default`. */
function namespaceCauses({ metadata, involvedObject, eventTime }: AnyObject): StatusCause[] {
  const namespace = isRecord(involvedObject) ? String(involvedObject['namespace'] ?? '') : ''
  const forClusterWide = eventTime ? ['default', 'kube-system'] : ['default']
  const own = metadata.namespace ?? ''
  if (namespace === own || (namespace === '' && forClusterWide.includes(own))) return []
  return [invalid('involvedObject.namespace', namespace, 'does not match event.namespace')]
}

function textCauses(field: string, value: unknown, limit: number): StatusCause[] {
  const text = String(value ?? '')
  if (text === '') return [required(field)]
  return text.length > limit ? [invalid(field, '', `can have at most ${limit} characters`)] : []
}
