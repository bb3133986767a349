import { expect, it, test, vi } from 'vitest'
import { activeBanner, type Banner, hasWindow, isActive } from './banner'

const banner = (fields: Partial<Banner>): Banner => ({ summary: 'Maintenance', type: 'info', ...fields })
const window = { startTime: '09:00', endTime: '10:00' }

const oneOff = { ...window, year: 2026, month: 1, dayOfMonth: 30 }
// 30 January 2026 is a Friday.
const weekly = { ...window, dayOfWeek: 5 }
const monthly = { ...window, dayOfMonth: 30 }

type Row = [name: string, fields: Partial<Banner>, now: string, isActive: boolean]

const rowsInZone = (timeZone: string, fields: Partial<Banner>, rows: [string, string, boolean][]): Row[] =>
  rows.map(([name, now, expected]) => [name, { ...fields, timeZone }, now, expected])

test.each<Row>([
  ['BAN-08, BAN-09 one-off, within', oneOff, '2026-01-30T09:30:00Z', true],
  ['BAN-09 one-off, the day before', oneOff, '2026-01-29T09:30:00Z', false],
  ['BAN-09 one-off, the same day of another month', oneOff, '2026-03-30T09:30:00Z', false],
  ['BAN-09 one-off, a year later', oneOff, '2027-01-30T09:30:00Z', false],
  ['BAN-10 one-off, exactly at start', oneOff, '2026-01-30T09:00:00Z', false],
  ['BAN-10 one-off, just after start', oneOff, '2026-01-30T09:00:00.001Z', true],
  ['BAN-10 one-off, just before end', oneOff, '2026-01-30T09:59:59.999Z', true],
  ['BAN-10 one-off, exactly at end', oneOff, '2026-01-30T10:00:00Z', false],
  ['BAN-08 one-off despite a weekday', { ...oneOff, dayOfWeek: 1 }, '2026-01-30T09:30:00Z', true],
  ['BAN-11, BAN-12 weekly, within', weekly, '2026-01-30T09:30:00Z', true],
  ['BAN-12 weekly, a week later', weekly, '2026-02-06T09:30:00Z', true],
  ['BAN-12 weekly, another weekday', weekly, '2026-01-31T09:30:00Z', false],
  ['BAN-12 weekly, on a Sunday', { ...window, dayOfWeek: 0 }, '2026-02-01T09:30:00Z', true],
  ['BAN-12 weekly, a Sunday one on a Monday', { ...window, dayOfWeek: 0 }, '2026-02-02T09:30:00Z', false],
  ['BAN-13 weekly, exactly at start', weekly, '2026-01-30T09:00:00Z', true],
  ['BAN-13 weekly, just before start', weekly, '2026-01-30T08:59:59.999Z', false],
  ['BAN-13 weekly, exactly at end', weekly, '2026-01-30T10:00:00Z', true],
  ['BAN-13 weekly, in the minute of the end', weekly, '2026-01-30T10:00:59.999Z', true],
  ['BAN-13 weekly, after the minute of the end', weekly, '2026-01-30T10:01:00Z', false],
  ['BAN-11 weekly despite a day of month', { ...weekly, dayOfMonth: 1 }, '2026-01-30T09:30:00Z', true],
  ['BAN-14, BAN-15 monthly, within', monthly, '2026-01-30T09:30:00Z', true],
  ['BAN-15 monthly, a month later', monthly, '2026-03-30T09:30:00Z', true],
  ['BAN-15 monthly, another day', monthly, '2026-01-29T09:30:00Z', false],
  ['BAN-15 monthly, at the end', monthly, '2026-01-30T10:00:00Z', true],
  ['BAN-15 monthly, before the start', monthly, '2026-01-30T08:59:00Z', false],
  ['BAN-16 without times', {}, '2026-01-30T03:00:00Z', true],
  ['BAN-16 without an end', { startTime: '09:00' }, '2026-01-30T03:00:00Z', true],
  ['BAN-16 without a start', { endTime: '01:00' }, '2026-01-30T03:00:00Z', true],
  ['BAN-06 in UTC without a zone', weekly, '2026-01-30T10:30:00+01:00', true],
  ['BAN-07 in its zone', { ...weekly, timeZone: 'Asia/Shanghai' }, '2026-01-30T01:30:00Z', true],
  ['BAN-07 in its zone, after its end there', { ...weekly, timeZone: 'Asia/Shanghai' }, '2026-01-30T09:30:00Z', false],
  [
    'BAN-07 by the weekday of its zone',
    { startTime: '00:00', endTime: '01:00', dayOfWeek: 6, timeZone: 'Asia/Tokyo' },
    '2026-01-30T15:30:00Z',
    true,
  ],
  ['BAN-07 in summer time', { ...window, dayOfMonth: 1, timeZone: 'Europe/Prague' }, '2026-07-01T07:30:00Z', true],
  ['BAN-07 in winter time', { ...window, dayOfMonth: 1, timeZone: 'Europe/Prague' }, '2026-01-01T07:30:00Z', false],
  ...rowsInZone('Europe/Prague', { ...window, dayOfWeek: 0 }, [
    ['BAN-07 on the day that summer time begins, before the window', '2026-03-29T06:59:59Z', false],
    ['BAN-07 on the day that summer time begins, within', '2026-03-29T07:00:00Z', true],
    ['BAN-07 on the day that summer time ends, an hour early', '2026-10-25T07:30:00Z', false],
    ['BAN-07 on the day that summer time ends, within', '2026-10-25T08:30:00Z', true],
  ]),
  ...rowsInZone('Europe/Prague', { startTime: '02:00', endTime: '02:59', dayOfWeek: 0 }, [
    ['BAN-07 in the hour that comes twice, the first time', '2026-10-25T00:30:00Z', true],
    ['BAN-07 in the hour that comes twice, the second time', '2026-10-25T01:30:00Z', true],
    ['BAN-07 after the hour that comes twice', '2026-10-25T02:00:00Z', false],
    ['BAN-07 on a day without that hour', '2026-03-29T01:00:00Z', false],
  ]),
  [
    'BAN-07 by the date of its zone, a day ahead',
    { ...oneOff, timeZone: 'Pacific/Kiritimati' },
    '2026-01-29T19:30:00Z',
    true,
  ],
  [
    'BAN-07 by the first of the month of its zone, still the last elsewhere',
    { startTime: '00:00', endTime: '23:59', dayOfMonth: 1, timeZone: 'Asia/Kolkata' },
    '2026-01-31T18:30:00Z',
    true,
  ],
  ['yearly, within', { ...window, month: 1, dayOfMonth: 30 }, '2031-01-30T09:30:00Z', true],
  ['yearly, another month', { ...window, month: 1, dayOfMonth: 30 }, '2026-03-30T09:30:00Z', false],
  ['daily, within', window, '2026-05-05T09:30:00Z', true],
  ['daily, outside', window, '2026-05-05T11:30:00Z', false],
  ['one that ends before it starts', { startTime: '22:00', endTime: '06:00' }, '2026-05-05T23:00:00Z', false],
  [
    'one that ends before it starts, before its end',
    { startTime: '22:00', endTime: '06:00' },
    '2026-05-05T05:00:00Z',
    false,
  ],
  ['one of a single minute, within', { startTime: '22:00', endTime: '22:00' }, '2026-05-05T22:00:30Z', true],
  ['a day that February lacks', { ...window, dayOfMonth: 31 }, '2026-03-03T09:30:00Z', false],
])('%s', (_, fields, now, expected) => expect(isActive(banner(fields), new Date(now))).toBe(expected))

it('BAN-06 is in UTC without a zone, whatever the zone of the machine', () => {
  vi.stubEnv('TZ', 'Asia/Tokyo')
  expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).toBe('Asia/Tokyo')
  expect(isActive(banner(weekly), new Date('2026-01-30T09:30:00Z'))).toBe(true)
  expect(isActive(banner(weekly), new Date('2026-01-30T00:30:00Z'))).toBe(false)
})

it('BAN-03 shows the first banner with an open window', () => {
  const banners = [banner({ ...oneOff, summary: 'Once' }), banner({ ...weekly, summary: 'Fridays' }), banner({})]
  const at = (time: string) => activeBanner(banners, new Date(time))?.summary
  expect(at('2026-01-30T09:30:00Z')).toBe('Once')
  expect(at('2026-02-06T09:30:00Z')).toBe('Fridays')
  expect(at('2026-02-07T09:30:00Z')).toBe('Maintenance')
  expect(activeBanner([], new Date())).toBeUndefined()
})

it('a banner has a window only with both times', () =>
  expect([{}, { startTime: '09:00' }, window].map((fields) => hasWindow(banner(fields)))).toEqual([false, false, true]))
