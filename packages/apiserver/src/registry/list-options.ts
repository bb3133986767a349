import { invalidObject } from '../errors'
import { forbidden, notSupported } from '../schema/field-error'
import type { StatusCause } from '@slipway/kube/status'

/** Which options of a list or watch go together. Source: k8s.io/apimachinery, meta/internalversion/validation. */

/** @throws StatusError 422 */
export function checkListOptions(query: URLSearchParams): void {
  const causes: StatusCause[] = []
  const match = query.get('resourceVersionMatch') ?? ''
  const version = query.get('resourceVersion') ?? ''
  const refuse = (detail: string) => causes.push(forbidden('resourceVersionMatch', detail))
  if (match) {
    if (!version) refuse('resourceVersionMatch is forbidden unless resourceVersion is provided')
    if (query.get('continue')) refuse('resourceVersionMatch is forbidden when continue is provided')
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      causes.push(notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', '']))
    }
    if (match === 'Exact' && version === '0') {
      refuse('resourceVersionMatch "exact" is forbidden for resourceVersion "0"')
    }
  }
  if (query.has('sendInitialEvents')) {
    causes.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'))
  }
  refuseAll(causes)
}

/** @throws StatusError 422 */
export function checkWatchOptions(query: URLSearchParams): void {
  const causes: StatusCause[] = []
  const match = query.get('resourceVersionMatch') ?? ''
  const refuse = (detail: string) => causes.push(forbidden('resourceVersionMatch', detail))
  const hasInitialEvents = query.has('sendInitialEvents')
  if (hasInitialEvents && match !== 'NotOlderThan') {
    refuse('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')
  }
  if (match) {
    if (!hasInitialEvents) refuse('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided')
    if (match !== 'NotOlderThan') causes.push(notSupported('resourceVersionMatch', match, ['NotOlderThan']))
    if (query.get('continue')) refuse('resourceVersionMatch is forbidden when continue is provided')
  }
  refuseAll(causes)
}

function refuseAll(causes: StatusCause[]) {
  if (causes.length > 0) throw invalidObject({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', causes)
}
