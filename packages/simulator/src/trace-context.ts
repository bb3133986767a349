import type { KubeObject } from '@slipway/kube/object'
import { annotations } from '@slipway/model/labels'
import { hexDigits, type Random } from './keyed-random'

/**
 * The trace that leads from a build to its release, in an annotation of each of its objects. Pipelines as Code begins it
 * where an operator has turned tracing on. Source: integration-service, docs/tracing.md.
 */

/** The annotation of a build with which a trace begins. */
export const newTrace = (random: Random): Record<string, string> => ({
  [annotations.spanContext]: JSON.stringify({ traceparent: `00-${hexDigits(random, 32)}-${hexDigits(random, 16)}-01` }),
})

/** The annotation for an object that follows from this one; none without a trace. */
export function traceOf({ metadata }: KubeObject): Record<string, string> {
  const context = metadata.annotations?.[annotations.spanContext]
  return context ? { [annotations.spanContext]: context } : {}
}
