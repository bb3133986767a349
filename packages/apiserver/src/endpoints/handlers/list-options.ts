import type { StatusCause } from '@slipway/kube/status'
import { invalidObject } from '../../errors'
import { forbidden, notSupported } from '../../field-error'

/** Valid combinations of list and watch options. Source: k8s.io/apimachinery, meta/internalversion/validation. */

/** @throws StatusError 422 */
export function checkListOptions(query: URLSearchParams): void {
  const causes: StatusCause[] = []
  const match = query.get('resourceVersionMatch') ?? ''
  const version = query.get('resourceVersion') ?? ''
  const reject = (detail: string) => causes.push(forbidden('resourceVersionMatch', detail))
  if (match) {
    if (!version) reject('resourceVersionMatch is forbidden unless resourceVersion is provided')
    if (query.get('continue')) reject('resourceVersionMatch is forbidden when continue is provided')
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      causes.push(notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', '']))
    }
    if (match === 'Exact' && version === '0') {
      reject('resourceVersionMatch "exact" is forbidden for resourceVersion "0"')
    }
  }
  if (query.has('sendInitialEvents')) {
    causes.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'))
  }
  throwIfAny(causes)
}

/** @throws StatusError 422 */
export function checkWatchOptions(query: URLSearchParams): void {
  const causes: StatusCause[] = []
  const match = query.get('resourceVersionMatch') ?? ''
  const reject = (detail: string) => causes.push(forbidden('resourceVersionMatch', detail))
  const hasInitialEvents = query.has('sendInitialEvents')
  if (hasInitialEvents && match !== 'NotOlderThan') {
    reject('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')
  }
  if (match) {
    if (!hasInitialEvents) reject('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided')
    if (match !== 'NotOlderThan') causes.push(notSupported('resourceVersionMatch', match, ['NotOlderThan']))
    if (query.get('continue')) reject('resourceVersionMatch is forbidden when continue is provided')
  }
  throwIfAny(causes)
}

function throwIfAny(causes: StatusCause[]) {
  if (causes.length > 0) throw invalidObject({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', causes)
}
