import { eventType, type Event } from '@slipway/kube/core-types'
import { nameOf, namespaceOf, uidOf, type Condition, type KubeObject } from '@slipway/kube/object'
import { isAlreadyExists } from '@slipway/kube/status'
import type { ControllerContext } from '../controller'
import { hexDigits } from '../keyed-random'

interface Occurrence {
  type?: Event['type']
  reason: string
  message: string
  /** Who reports it, such as `kubelet`. */
  component: string
  host?: string
  /** Now by default. */
  atMs?: number
}

/**
 * Writes an Event about an object, once: its name follows from what happened to whom. So whoever records an event
 * before the change that it tells of neither loses nor repeats it when it is stopped in between.
 */
export async function recordEvent(
  { client, random, now, timestamp }: ControllerContext,
  about: KubeObject,
  { type = 'Normal', reason, message, component, host, atMs = now() }: Occurrence,
): Promise<void> {
  const { apiVersion, kind, metadata } = about
  const namespace = namespaceOf(about) ?? 'default'
  const name = `${nameOf(about)}.${hexDigits(random(`event ${uidOf(about)} ${reason} ${message}`), 16)}`
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

/** What Tekton tells of a run whose condition changes. Source: tektoncd/pipeline, pkg/reconciler/events. */
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
