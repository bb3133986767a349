import type { Secret } from '@slipway/kube/core-types'
import { annotations, labels } from '@slipway/model/labels'
import { formatUnfinishedLinks } from '@slipway/model/secrets/link-request'
import { describe, expect, it } from 'vitest'
import { linkStatusOf, openRequestOf, type LinkStatus } from './link-status'

const startedMs = Date.UTC(2026, 0, 31, 9)
const minuteMs = 60_000
const request = { target: { option: 'partial', components: ['cart'] }, unlink: [] } as const

interface SecretOptions {
  state?: string
  /** Whether the secret records what is unfinished, and since when. */
  isRecorded?: boolean
  isCommon?: boolean
}

const secret = ({ state, isRecorded, isCommon }: SecretOptions): Secret => ({
  metadata: {
    name: 'registry',
    ...(isCommon && { labels: { [labels.commonSecret]: 'true' } }),
    annotations: {
      ...(state && { [annotations.linkStatus]: state }),
      ...(isRecorded && { [annotations.unfinishedLinks]: formatUnfinishedLinks({ request, startedMs }) }),
    },
  },
})

describe('the status of a link task', () => {
  it.each<[string, SecretOptions, { minutes: number; isOfThisTab?: boolean }, LinkStatus | undefined]>([
    ['is absent without a task', {}, { minutes: 0 }, undefined],
    ['is what the secret says, once it has failed', { state: 'Failed', isRecorded: true }, { minutes: 60 }, 'Failed'],
    ['is what the secret says, once it has succeeded', { state: 'Succeeded' }, { minutes: 60 }, 'Succeeded'],
    ['is Running for five minutes', { state: 'Running', isRecorded: true }, { minutes: 5 }, 'Running'],
    ['is Pending for five minutes', { state: 'Pending', isRecorded: true }, { minutes: 5 }, 'Pending'],
    ['is Interrupted afterwards', { state: 'Running', isRecorded: true }, { minutes: 5.001 }, 'Interrupted'],
    ['is Interrupted before its turn too', { state: 'Pending', isRecorded: true }, { minutes: 5.001 }, 'Interrupted'],
    [
      'is Running as long as this tab works on it',
      { state: 'Running', isRecorded: true },
      { minutes: 60, isOfThisTab: true },
      'Running',
    ],
    ['is Running if no time is known', { state: 'Running' }, { minutes: 60 }, 'Running'],
  ])('%s (LINK-27, LINK-39)', (_, given, { minutes, isOfThisTab = false }, status) => {
    const nowMs = startedMs + minutes * minuteMs
    expect(linkStatusOf(secret(given), { isOfThisTab, nowMs })).toBe(status)
  })
})

it.each([
  ['what the secret records', { isRecorded: true, isCommon: true }, request],
  ['all components of a common secret', { isCommon: true }, { target: { option: 'all' }, unlink: [] }],
  ['not known otherwise', {}, undefined],
])('what is open of an interrupted task is %s', (_, given, expected) =>
  expect(openRequestOf(secret(given))).toEqual(expected),
)
