import { isRecord } from '@slipway/kube/object'
import { parseJson } from '@slipway/kube/parse'
import type { OnboardingError } from './onboarding-error'

/** The status that the build service writes on a component, with its order of keys. */
export interface BuildStatus {
  pac?: {
    state: 'enabled' | 'disabled' | 'error'
    'merge-url'?: string
    /** RFC 1123, in UTC. */
    'configuration-time'?: string
    'error-id'?: number
    'error-message'?: string
  }
  message: string
}

/** Formats a time like Go's RFC 1123 layout: `Tue, 03 Mar 2026 10:44:06 UTC`. */
export const rfc1123 = (atMs: number): string => new Date(atMs).toUTCString().replace(/GMT$/, 'UTC')

export const enabledStatus = (mergeUrl: string | undefined, atMs: number): BuildStatus => ({
  pac: { state: 'enabled', ...(mergeUrl && { 'merge-url': mergeUrl }), 'configuration-time': rfc1123(atMs) },
  message: 'done',
})

export const disabledStatus = (mergeUrl: string | undefined): BuildStatus => ({
  pac: { state: 'disabled', ...(mergeUrl && { 'merge-url': mergeUrl }) },
  message: 'done',
})

export const failedStatus = ({ id, message }: OnboardingError): BuildStatus => ({
  pac: { state: 'error', 'error-id': id, 'error-message': message },
  message: 'done',
})

/** @returns undefined for an invalid value */
export function parseBuildStatus(value: string | undefined): BuildStatus | undefined {
  const status = parseJson(value ?? '')
  // Written by this simulator, or by a user who experiments with it.
  return isRecord(status) ? (status as unknown as BuildStatus) : undefined
}
