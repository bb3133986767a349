import { qualifiedNameFaults } from '@slipway/kube/label-syntax'
import { isRecord } from '@slipway/kube/object'
import type { StatusCause } from '@slipway/kube/status'
import type { AnyObject } from '../registry/resource'
import { invalid, notSupported, required } from '../schema/field-error'

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
      const faults = qualifiedNameFaults(String(reportingComponent))
      causes.push(...faults.map((fault) => invalid(controller, reportingComponent, fault)))
    }
    causes.push(...textCauses('reportingInstance', reportingInstance, maxLength))
    causes.push(...textCauses('action', action, maxLength), ...textCauses('reason', reason, maxLength))
    if (String(message ?? '').length > maxNoteLength) {
      causes.push(invalid(newer ? 'note' : 'message', '', `can have at most ${maxNoteLength} characters`))
    }
  }
  if (newer && !newer.old && event['type'] !== 'Normal' && event['type'] !== 'Warning') {
    causes.push(notSupported('type', event['type'] ?? '', ['Normal', 'Warning']))
  }
  return causes
}

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
