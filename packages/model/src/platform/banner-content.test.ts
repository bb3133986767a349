import { describe, expect, it, test } from 'vitest'
import type { Banner } from './banner'
import { parseBanners } from './banner-content'
import { bannerEntry, bannerLocation } from './public-info'

/** The banners and errors of a list with one entry; JSON is valid YAML. */
const parseOne = (fields: Record<string, unknown>) =>
  parseBanners(JSON.stringify([{ summary: 'Maintenance', type: 'info', ...fields }]))
const errorOf = (fields: Record<string, unknown>) => parseOne(fields).errors.join('\n')
const window = { startTime: '09:00', endTime: '10:00' }

describe('banner content', () => {
  it('BAN-01 is a YAML list in a config map of the info namespace', () => {
    expect({ ...bannerLocation, bannerEntry }).toEqual({
      namespace: 'konflux-info',
      name: 'konflux-banner-configmap',
      bannerEntry: 'banner-content.yaml',
    })
    const { banners } = parseBanners('- summary: Quiet please\n  type: info\n- summary: It burns\n  type: danger\n')
    expect(banners.map(({ summary }) => summary)).toEqual(['Quiet please', 'It burns'])
  })

  it('BAN-02 parses all fields', () => {
    const entry: Banner = {
      summary: 'Maintenance',
      type: 'warning',
      ...window,
      timeZone: 'Europe/Prague',
      dayOfWeek: 1,
      dayOfMonth: 31,
      year: 2026,
      month: 1,
    }
    expect(parseBanners(JSON.stringify([entry]))).toEqual({ banners: [entry], errors: [] })
  })

  it('BAN-04, BAN-05 ignores an invalid entry and reports its errors', () => {
    const { banners, errors } = parseBanners('- nonsense\n- {type: info}\n- {summary: Good news, type: info}\n')
    expect(banners.map(({ summary }) => summary)).toEqual(['Good news'])
    expect(errors).toEqual([
      expect.stringContaining('Entry 1 of banner-content.yaml'),
      'Entry 2 of banner-content.yaml: summary is required',
    ])
  })

  test.each([
    ['nothing', '', 0],
    ['an empty list', '[]\n', 0],
    ['a comment', '# none\n', 0],
    ['no list', 'summary: x', 1],
    ['no YAML', '- [', 1],
    ['two documents', '[]\n---\n[]', 1],
    ['an excessive number of aliases', bomb(), 1],
  ])('BAN-04 tolerates %s', (_, text, errors) => {
    expect(parseBanners(text)).toEqual({ banners: [], errors: Array(errors).fill(expect.any(String)) })
  })

  it('accepts times without quotes and ignores fields without a value', () => {
    const text = '- summary: Maintenance\n  type: info\n  startTime: 09:00\n  endTime: 10:00\n  year:\n'
    expect(parseBanners(text).banners).toEqual([{ summary: 'Maintenance', type: 'info', ...window }])
  })
})

/** Nested aliases: a few lines that would expand to gigabytes. */
function bomb(): string {
  const lines = ['- &a0 [x, x, x, x, x, x, x, x, x]']
  for (let i = 1; i < 9; i++)
    lines.push(
      `- &a${i} [${Array(9)
        .fill(`*a${i - 1}`)
        .join(', ')}]`,
    )
  return lines.join('\n')
}

test.each<[string, Record<string, unknown>, string]>([
  ['BAN-19 no summary', { summary: undefined }, 'summary is required'],
  ['BAN-19 a blank summary', { summary: '     ' }, 'summary is required'],
  ['BAN-19 a summary that is not a string', { summary: 12345 }, 'summary is required'],
  ['BAN-20 a summary of 4 characters', { summary: 'abcd' }, 'Must be at least 5 characters'],
  ['BAN-21 a summary of 501 characters', { summary: 'a'.repeat(501) }, 'Must be at most 500 characters'],
  ['BAN-22 another type', { type: 'success' }, 'type must be one of info, warning, danger'],
  ['BAN-22 no type', { type: undefined }, 'type must be one of info, warning, danger'],
  ['BAN-23 a start hour with one digit', { ...window, startTime: '9:00' }, 'startTime must be in HH:mm 24-hour format'],
  ['BAN-23 a start at 24', { ...window, startTime: '24:00' }, 'startTime must be in HH:mm 24-hour format'],
  ['BAN-23 a number as start', { ...window, startTime: 540 }, 'startTime must be in HH:mm 24-hour format'],
  ['BAN-24 an end with minute 60', { ...window, endTime: '10:60' }, 'endTime must be in HH:mm 24-hour format'],
  ['BAN-24 an end in 12-hour format', { ...window, endTime: '10:00 PM' }, 'endTime must be in HH:mm 24-hour format'],
  ['BAN-25 a weekday without start', { dayOfWeek: 1, endTime: '10:00' }, 'startTime is required'],
  ['BAN-25 a day without start', { dayOfMonth: 1, endTime: '10:00' }, 'startTime is required'],
  ['BAN-25 a year without start', { year: 2026, dayOfMonth: 1, endTime: '10:00' }, 'startTime is required'],
  ['BAN-25 a month without start', { month: 2, dayOfMonth: 1, endTime: '10:00' }, 'startTime is required'],
  ['BAN-26 a weekday without end', { dayOfWeek: 1, startTime: '09:00' }, 'endTime is required'],
  ['BAN-26 a day without end', { dayOfMonth: 1, startTime: '09:00' }, 'endTime is required'],
  ['BAN-26 a year without end', { year: 2026, dayOfMonth: 1, startTime: '09:00' }, 'endTime is required'],
  ['BAN-26 a month without end', { month: 2, dayOfMonth: 1, startTime: '09:00' }, 'endTime is required'],
  [
    'BAN-27 an unknown zone',
    { timeZone: 'Mars/Olympus' },
    'Invalid timeZone format, expected valid IANA zone like "UTC" or "Asia/Shanghai"',
  ],
  ['BAN-27 an offset as zone', { timeZone: '+02:00' }, 'Invalid timeZone format'],
  ['BAN-27 a number as zone', { timeZone: 2 }, 'Invalid timeZone format'],
  ['BAN-28 weekday 7', { ...window, dayOfWeek: 7 }, 'dayOfWeek must be between 0 and 6'],
  ['BAN-28 weekday -1', { ...window, dayOfWeek: -1 }, 'dayOfWeek must be between 0 and 6'],
  ['BAN-29 day 0', { ...window, dayOfMonth: 0 }, 'dayOfMonth must be between 1 and 31'],
  ['BAN-29 day 32', { ...window, dayOfMonth: 32 }, 'dayOfMonth must be between 1 and 31'],
  ['BAN-30 a year alone', { ...window, year: 2026 }, 'dayOfMonth is required when year or month is specified'],
  ['BAN-30 a month alone', { ...window, month: 2 }, 'dayOfMonth is required when year or month is specified'],
  ['BAN-31 half a year', { ...window, dayOfMonth: 1, year: 2026.5 }, 'year must be an integer'],
  ['BAN-31 a year in quotes', { ...window, dayOfMonth: 1, year: '2026' }, 'year must be an integer'],
  ['BAN-32 1969', { ...window, dayOfMonth: 1, year: 1969 }, 'year must be >= 1970'],
  ['BAN-33 10000', { ...window, dayOfMonth: 1, year: 10_000 }, 'year must be <= 9999'],
  ['BAN-34 half a month', { ...window, dayOfMonth: 1, month: 1.5 }, 'month must be an integer'],
  ['BAN-34 a month by name', { ...window, dayOfMonth: 1, month: 'May' }, 'month must be an integer'],
  ['BAN-35 month 0', { ...window, dayOfMonth: 1, month: 0 }, 'month must be between 1 and 12'],
  ['BAN-35 month 13', { ...window, dayOfMonth: 1, month: 13 }, 'month must be between 1 and 12'],
])('%s is invalid', (_, fields, message) => {
  expect(errorOf(fields)).toContain(message)
  expect(parseOne(fields).banners).toEqual([])
})

test.each<[string, Record<string, unknown>]>([
  ['BAN-20 5 characters', { summary: 'abcde' }],
  ['BAN-21 500 characters', { summary: 'a'.repeat(500) }],
  ['BAN-22 each type', { type: 'danger' }],
  ['BAN-23, BAN-24 the first and the last minute', { startTime: '00:00', endTime: '23:59' }],
  ['BAN-27 a zone', { timeZone: 'Asia/Shanghai' }],
  ['BAN-28 Sunday', { ...window, dayOfWeek: 0 }],
  ['BAN-28 Saturday', { ...window, dayOfWeek: 6 }],
  ['BAN-29 the first', { ...window, dayOfMonth: 1 }],
  ['BAN-29 the 31st', { ...window, dayOfMonth: 31 }],
  ['BAN-32 1970', { ...window, dayOfMonth: 1, year: 1970 }],
  ['BAN-33 9999', { ...window, dayOfMonth: 1, year: 9999 }],
  ['BAN-35 January', { ...window, dayOfMonth: 1, month: 1 }],
  ['BAN-35 December', { ...window, dayOfMonth: 1, month: 12 }],
])('%s is valid', (_, fields) => expect(errorOf(fields)).toBe(''))
