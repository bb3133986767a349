import type { Secret } from '@slipway/kube/core-types'
import { asArray, asRecord, asText, parseJson } from '@slipway/kube/parse'
import { annotations } from '../labels'
import { isCommon } from './secret'

/** The components to link a secret to. `all` includes future components, which the platform links by a label. */
export type LinkTarget = { option: 'none' } | { option: 'all' } | { option: 'partial'; components: readonly string[] }

/** What a link task has to do. Components that are in neither list keep the links they have. */
export interface LinkRequest {
  target: LinkTarget
  /** Names of the components to unlink the secret from. */
  unlink: readonly string[]
}

/** Recorded on a secret while a link task has not linked every component, so that it can be resumed. */
export interface UnfinishedLinks {
  request: LinkRequest
  /** When the task was started, in milliseconds since 1970, by the clock of the browser that started it. */
  startedMs: number
}

/** Whether a request changes nothing, neither of service accounts nor of the secret. */
export const isFulfilled = ({ target, unlink }: LinkRequest, secret: Secret): boolean => {
  if (unlink.length > 0 || target.option === 'all') return false
  return !isCommon(secret) && (target.option === 'none' || target.components.length === 0)
}

export const formatUnfinishedLinks = (unfinished: UnfinishedLinks): string => JSON.stringify(unfinished)

/** `undefined` if the annotation is missing or not valid. */
export function unfinishedLinksOf({ metadata }: Secret): UnfinishedLinks | undefined {
  const value = asRecord(parseJson(metadata.annotations?.[annotations.unfinishedLinks] ?? ''))
  const request = asRecord(value.request)
  const target = parseTarget(asRecord(request.target))
  const { startedMs } = value
  if (!target || typeof startedMs !== 'number') return undefined
  return { request: { target, unlink: namesIn(request.unlink) }, startedMs }
}

function parseTarget({ option, components }: Record<string, unknown>): LinkTarget | undefined {
  if (option === 'none' || option === 'all') return { option }
  return option === 'partial' ? { option, components: namesIn(components) } : undefined
}

const namesIn = (value: unknown): string[] => asArray(value).flatMap((name) => asText(name) ?? [])
