import { eventType, type Event } from '@slipway/kube/core-types'
import { nameOf, namespaceOf, uidOf, type Condition, type KubeObject } from '@slipway/kube/object'
import { isAlreadyExists } from '@slipway/kube/status'
import type { ControllerContext, Writes } from '../controller'
import { hexDigits } from '../keyed-random'

/** What `recordEvent` and `recordCondition` write. */
export const eventWrites: Writes = [[eventType, 'create']]

interface Occurrence {
  type?: Event['type']
  reason: string
  message: string
  /** The reporting component, such as `kubelet`. */
  component: string
  host?: string
  /** Default: now. */
  atMs?: number
}

/**
 * Creates an Event object an object, once: its name depends on the object and what happened. So a controller that
 * records an event before the change itself neither loses nor repeats it if it is interrupted in between.
 */
export async function recordEvent(
  { client, random, now, timestamp }: ControllerContext,
  object: KubeObject,
  { type = 'Normal', reason, message, component, host, atMs = now() }: Occurrence,
): Promise<void> {
  const { apiVersion, kind, metadata } = object
  const namespace = namespaceOf(object) ?? 'default'
  const name = `${nameOf(object)}.${hexDigits(random(`event ${uidOf(object)} ${reason} ${message}`), 16)}`
  const at = timestamp(atMs)
  try {
    await client.create(eventType, {
      metadata: { name, namespace },
      involvedObject: { apiVersion, kind, namespace: metadata.namespace, name: metadata.name, uid: metadata.uid },
      type,
      reason,
      message: message.slice(0, 1024),
      count: 1,
      firstTimestamp: at,
      lastTimestamp: at,
      source: { component, ...(host && { host }) },
      reportingComponent: component,
    })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}

/**
 * Records the event that Tekton records when a run's condition changes. Source: tektoncd/pipeline,
 * pkg/reconciler/events.
 */
export async function recordCondition(
  context: ControllerContext,
  run: KubeObject,
  before: Condition | undefined,
  after: Condition,
): Promise<void> {
  const { status, reason = '', message = '' } = after
  if (before && before.status === status && before.reason === reason && before.message === message) return
  const component = run.kind ?? ''
  if (status === 'True') return recordEvent(context, run, { reason: 'Succeeded', message, component })
  if (status === 'False') return recordEvent(context, run, { type: 'Warning', reason: 'Failed', message, component })
  await recordEvent(context, run, { reason, message, component })
}
