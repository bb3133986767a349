import { isTrue } from '@slipway/kube/api-request'
import type { Target } from '../target'

const parameter = 'heartbeat'

/**
 * A page cannot see the pings of its websocket, so it cannot distinguish a quiet connection from a dead one. A watch can
 * request heartbeats: empty text frames, which are not events and are only sent on request.
 * @returns the target without the parameter, which is not meant for the upstream
 */
export function parseHeartbeat<T extends Target>(target: T): { target: T; isRequested: boolean } {
  const query = new URLSearchParams(target.query)
  if (query.get(parameter) !== 'true' || !isTrue(query.get('watch'))) return { target, isRequested: false }
  // The rest stays as received.
  const others = target.query
    .slice(1)
    .split('&')
    .filter((pair) => pair !== `${parameter}=true`)
  return { target: { ...target, query: others.length > 0 ? `?${others.join('&')}` : '' }, isRequested: true }
}
