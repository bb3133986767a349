import { expect, it, test } from 'vitest'
import { isNew, notificationLocation, notificationsOf } from './notification'
import { aConfigMap } from '../testing'

const now = new Date('2026-01-31T09:00:00Z')
const withText = (text: string | undefined, name = 'news', creationTimestamp = '2026-01-31T08:00:00Z') =>
  aConfigMap({
    metadata: { name, uid: name, creationTimestamp },
    data: text === undefined ? undefined : { 'notification-content.json': text },
  })
const read = (content: unknown) => notificationsOf([withText(JSON.stringify(content))], now)
const one = (fields: Record<string, unknown>) => read({ type: 'info', summary: 'All is well', ...fields })

it('NOTE-01, NOTE-02 notifications come from labelled config maps of the info namespace', () => {
  expect(notificationLocation).toEqual({
    namespace: 'konflux-info',
    labels: { 'appstudio.openshift.io/system-notification': 'true' },
  })
  expect(one({})).toHaveLength(1)
})

it('NOTE-03 an entry may contain one object', () =>
  expect(one({ title: 'News' })).toEqual([
    { id: 'news/0', type: 'info', title: 'News', summary: 'All is well', created: '2026-01-31T08:00:00Z' },
  ]))

it('NOTE-04 an entry may contain a list, whose valid objects count', () =>
  expect(
    read([
      { type: 'info', summary: 'One' },
      { type: 'info' },
      null,
      'text',
      7,
      [],
      { type: 'danger', summary: 'Two' },
    ]).map(({ summary }) => summary),
  ).toEqual(['One', 'Two']))

test.each<[string, Record<string, unknown>, number]>([
  ['NOTE-05 info', { type: 'info' }, 1],
  ['NOTE-05 warning', { type: 'warning' }, 1],
  ['NOTE-05 danger', { type: 'danger' }, 1],
  ['NOTE-06 another type', { type: 'success' }, 0],
  ['NOTE-06 no type', { type: undefined }, 0],
  ['NOTE-06 a type that is not a string', { type: ['info'] }, 0],
  ['NOTE-07 an empty summary', { summary: '' }, 0],
  ['NOTE-07 a blank summary', { summary: ' \n' }, 0],
  ['NOTE-07 no summary', { summary: undefined }, 0],
  ['NOTE-07 a summary that is not a string', { summary: {} }, 0],
  ['NOTE-08 an active time in the future', { activeTimestamp: '2026-01-31T09:00:01Z' }, 0],
  ['NOTE-08 an active time that is now', { activeTimestamp: '2026-01-31T09:00:00Z' }, 1],
  ['NOTE-08 an active time in the past', { activeTimestamp: '2025-01-01T00:00:00Z' }, 1],
])('%s', (_, fields, count) => expect(one(fields)).toHaveLength(count))

test.each<[unknown, string]>([
  ['Title', 'Title'],
  [undefined, 'news'],
  ['', 'news'],
  [7, 'news'],
])('NOTE-09 title %j is %s', (title, expected) => expect(one({ title })[0]?.title).toBe(expected))

test.each<[unknown, string]>([
  ['2026-01-30T07:00:00Z', '2026-01-30T07:00:00Z'],
  ['2026-01-31T09:00:00Z', '2026-01-31T09:00:00Z'],
  [undefined, '2026-01-31T08:00:00Z'],
  ['soon', '2026-01-31T08:00:00Z'],
  [17, '2026-01-31T08:00:00Z'],
])('NOTE-10 with active time %j the time is %s', (activeTimestamp, expected) =>
  expect(one({ activeTimestamp })[0]?.created).toBe(expected),
)

it('NOTE-10 without either time it is skipped', () => {
  const untimed = { ...withText(JSON.stringify({ type: 'info', summary: 'All is well' })), metadata: { name: 'news' } }
  expect(notificationsOf([untimed], now)).toEqual([])
})

test.each(['{', '', 'null', '[]', '"text"', '7'])('ignores the content %j', (text) =>
  expect(notificationsOf([withText(text), withText(undefined)], now)).toEqual([]),
)

it('NOTE-17 the newest is first', () => {
  const text = JSON.stringify({ type: 'info', summary: 'News' })
  const titles = notificationsOf(
    [
      withText(text, 'older', '2026-01-30T08:00:00Z'),
      withText(text, 'newest', '2026-01-31T08:59:00Z'),
      withText(text, 'newer', '2026-01-31T08:00:00Z'),
    ],
    now,
  ).map(({ title }) => title)
  expect(titles).toEqual(['newest', 'newer', 'older'])
})

test.each([
  ['2026-01-31T09:00:00Z', true],
  ['2026-01-31T08:00:00Z', true],
  ['2026-01-31T07:59:59.999Z', false],
])('NOTE-16 a notification from %s is new at nine: %s', (activeTimestamp, expected) => {
  const [notification] = one({ activeTimestamp })
  expect(notification && isNew(notification, now)).toBe(expected)
})
