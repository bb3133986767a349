import type { ConfigMap } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { asRecord, asText, parseJson } from '@slipway/kube/parse'
import { labels } from '../labels'
import { publicInfoLocation } from './public-info'

/** Where platform operators publish notifications: any number of config maps with this label. */
export const notificationLocation = {
  namespace: publicInfoLocation.namespace,
  labels: { [labels.systemNotification]: 'true' },
}
const entry = 'notification-content.json'

const types = ['info', 'warning', 'danger'] as const
export type NotificationType = (typeof types)[number]

export interface Notification {
  /** Unique, and stable across reads. */
  id: string
  type: NotificationType
  title: string
  summary: string
  /** RFC 3339. */
  created: string
}

/** The notifications active at a time, newest first. Invalid entries are ignored. */
export function notificationsOf(configMaps: readonly ConfigMap[], now: Date): Notification[] {
  return configMaps
    .flatMap((configMap) =>
      contentOf(configMap).flatMap((content, index) => notificationOf(configMap, index, content) ?? []),
    )
    .filter(({ created }) => Date.parse(created) <= now.getTime())
    .sort((a, b) => Date.parse(b.created) - Date.parse(a.created))
}

const newForMs = 3_600_000

/** Within the past hour. */
export const isNew = ({ created }: Notification, now: Date): boolean => now.getTime() - Date.parse(created) <= newForMs

function contentOf({ data }: ConfigMap): unknown[] {
  const content = parseJson(data?.[entry] ?? '[]')
  return Array.isArray(content) ? content : [content]
}

function notificationOf(configMap: ConfigMap, index: number, content: unknown): Notification | undefined {
  const { type, summary, title, activeTimestamp } = asRecord(content)
  const known = types.find((choice) => choice === type)
  const text = asText(summary)
  // An invalid time counts as absent, like any other field.
  const created = time(activeTimestamp) ?? time(configMap.metadata.creationTimestamp)
  if (!known || !text || !created) return undefined
  const { uid = nameOf(configMap) } = configMap.metadata
  return { id: `${uid}/${index}`, type: known, title: asText(title) ?? nameOf(configMap), summary: text, created }
}

const time = (value: unknown): string | undefined =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined
