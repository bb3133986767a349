import type { Secret } from '@slipway/kube/core-types'
import { annotations, labels } from '@slipway/model/labels'
import { formatUnfinishedLinks } from '@slipway/model/secrets/link-request'
import { describe, expect, it } from 'vitest'
import { linkStatusOf, openRequestOf, type LinkStatus, type LinkWorkers } from './link-status'

const startedMs = Date.UTC(2026, 0, 31, 9)
const minuteMs = 60_000
const request = { target: { option: 'partial', components: ['cart'] }, unlink: [] } as const

interface SecretOptions {
  state?: string
  /** The browser that recorded what is unfinished. */
  browser?: string
  isCommon?: boolean
  /** When another console recorded the state. */
  recordedAt?: string
}

const secret = ({ state, browser, isCommon, recordedAt }: SecretOptions): Secret => ({
  metadata: {
    name: 'registry',
    uid: 'uid',
    ...(isCommon && { labels: { [labels.commonSecret]: 'true' } }),
    annotations: {
      ...(state && { [annotations.linkStatus]: state }),
      ...(browser && { [annotations.unfinishedLinks]: formatUnfinishedLinks({ request, startedMs, browser }) }),
    },
    ...(recordedAt && {
      managedFields: [
        { time: '2026-01-31T20:00:00Z', fieldsV1: { 'f:data': {} } },
        {
          time: recordedAt,
          fieldsV1: { 'f:metadata': { 'f:annotations': { '.': {}, [`f:${annotations.linkStatus}`]: {} } } },
        },
      ],
    }),
  },
})

const workers = (over: Partial<LinkWorkers> = {}): LinkWorkers => ({
  held: new Set(),
  readMs: startedMs + 1_000,
  browser: 'this',
  nowMs: startedMs + 1_000,
  ...over,
})

describe('the status of a link task', () => {
  it.each<[string, SecretOptions, Partial<LinkWorkers>, LinkStatus | undefined]>([
    ['is absent without a task', {}, {}, undefined],
    ['is what the secret says, once it has ended', { state: 'Failed', browser: 'this' }, {}, 'Failed'],
    ['is what the secret says, once it has succeeded', { state: 'Succeeded' }, {}, 'Succeeded'],
    [
      'is Running while a tab of this browser works on it',
      { state: 'Running', browser: 'this' },
      { held: new Set(['uid']), nowMs: startedMs + 60 * minuteMs },
      'Running',
    ],
    [
      'is Interrupted if no tab of this browser works on its task',
      { state: 'Running', browser: 'this' },
      {},
      'Interrupted',
    ],
    ['is Interrupted before its turn too', { state: 'Pending', browser: 'this' }, {}, 'Interrupted'],
    [
      'is Running as long as the tabs were asked only before it was started',
      { state: 'Running', browser: 'this' },
      { readMs: startedMs - 1 },
      'Running',
    ],
    ['is Running if another browser has just started it', { state: 'Running', browser: 'other' }, {}, 'Running'],
    [
      'is Interrupted if another browser started it more than five minutes ago',
      { state: 'Running', browser: 'other' },
      { nowMs: startedMs + 5 * minuteMs + 1 },
      'Interrupted',
    ],
    [
      'depends on the time alone in a browser without locks',
      { state: 'Running', browser: 'this' },
      { held: undefined, readMs: 0 },
      'Running',
    ],
    [
      'is Interrupted in a browser without locks after five minutes',
      { state: 'Running', browser: 'this' },
      { held: undefined, readMs: 0, nowMs: startedMs + 5 * minuteMs + 1 },
      'Interrupted',
    ],
    [
      'is Running if another console has just recorded it',
      { state: 'Running', recordedAt: '2026-01-31T09:00:00Z' },
      {},
      'Running',
    ],
    [
      'is Interrupted if another console recorded it more than five minutes ago',
      { state: 'Running', recordedAt: '2026-01-31T08:55:00Z' },
      {},
      'Interrupted',
    ],
    ['is Running if no time is known', { state: 'Running' }, { nowMs: startedMs + 60 * minuteMs }, 'Running'],
  ])('%s (LINK-27, LINK-39)', (_, given, known, status) => {
    expect(linkStatusOf(secret(given), workers(known))).toBe(status)
  })
})

it.each([
  ['what the secret records', { browser: 'other', isCommon: true }, request],
  ['all components of a common secret', { isCommon: true }, { target: { option: 'all' }, unlink: [] }],
  ['not known otherwise', {}, undefined],
])('what is open of an interrupted task is %s', (_, given, expected) =>
  expect(openRequestOf(secret(given))).toEqual(expected),
)
