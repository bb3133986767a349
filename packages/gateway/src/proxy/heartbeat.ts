import { isWatch } from '../field-mask/request'
import type { Target } from '../target'

const parameter = 'heartbeat'

/**
 * A page cannot see the pings of its websocket, and so cannot tell one that has nothing to say from one whose other
 * end is gone. A watch may ask for beats: frames of no text, which are no event and which nobody gets unasked.
 * @returns the target without the question, which is none of the upstream's
 */
export function heartbeatOf(target: Target): { target: Target; isWanted: boolean } {
  const query = new URLSearchParams(target.query)
  if (query.get(parameter) !== 'true' || !isWatch(query)) return { target, isWanted: false }
  // The rest as it came.
  const others = target.query
    .slice(1)
    .split('&')
    .filter((pair) => pair !== `${parameter}=true`)
  return { target: { ...target, query: others.length > 0 ? `?${others.join('&')}` : '' }, isWanted: true }
}
