import { parse } from 'yaml'
import * as z from 'zod/mini'
import { bannerEntry } from './public-info'

const time = (field: string) =>
  z.optional(
    z
      .string(`${field} must be in HH:mm 24-hour format`)
      .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, `${field} must be in HH:mm 24-hour format`)),
  )

const integer = (field: string, low: number, high: number, outside: { low: string; high: string }) =>
  z.optional(
    z
      .number(`${field} must be an integer`)
      .check(
        z.refine(Number.isInteger, { error: `${field} must be an integer`, abort: true }),
        z.gte(low, outside.low),
        z.lte(high, outside.high),
      ),
  )

const between = (field: string, low: number, high: number) => {
  const words = `${field} must be between ${low} and ${high}`
  return integer(field, low, high, { low: words, high: words })
}

const schema = z
  .object({
    summary: z
      .string('summary is required')
      .check(
        z.trim(),
        z.minLength(1, { error: 'summary is required', abort: true }),
        z.minLength(5, 'Must be at least 5 characters'),
        z.maxLength(500, 'Must be at most 500 characters'),
      ),
    type: z.enum(['info', 'warning', 'danger'], 'type must be one of info, warning, danger'),
    startTime: time('startTime'),
    endTime: time('endTime'),
    timeZone: z.optional(
      z
        .unknown()
        .check(z.refine(isTimeZone, 'Invalid timeZone format, expected valid IANA zone like "UTC" or "Asia/Shanghai"')),
    ),
    /** 0 is Sunday. */
    dayOfWeek: between('dayOfWeek', 0, 6),
    dayOfMonth: between('dayOfMonth', 1, 31),
    year: integer('year', 1970, 9999, { low: 'year must be >= 1970', high: 'year must be <= 9999' }),
    /** 1 is January. */
    month: between('month', 1, 12),
  })
  .check(
    z.refine((entry) => !hasDate(entry) || entry.startTime !== undefined, 'startTime is required'),
    z.refine((entry) => !hasDate(entry) || entry.endTime !== undefined, 'endTime is required'),
    z.refine(
      ({ year, month, dayOfMonth }) => dayOfMonth !== undefined || (year === undefined && month === undefined),
      'dayOfMonth is required when year or month is specified',
    ),
  )

type Entry = z.output<typeof schema>
export type BannerType = Entry['type']
export type Banner = Omit<Entry, 'timeZone'> & { timeZone?: string }

const hasDate = ({ year, month, dayOfWeek, dayOfMonth }: Omit<Entry, 'type' | 'summary'>): boolean =>
  [year, month, dayOfWeek, dayOfMonth].some((value) => value !== undefined)

/** A zone of the IANA database; offsets such as `+02:00`, which some engines take too, are none. */
function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string' || !/^[a-z]/i.test(value)) return false
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: value }) !== undefined
  } catch {
    return false
  }
}

export interface ParsedBanners {
  /** Entries that make sense, in their order. */
  banners: Banner[]
  /** What is wrong with the others, in words for who wrote them. */
  problems: string[]
}

/** @param text a YAML list; what is no list, or no YAML, has no banners and one problem */
export function parseBanners(text: string): ParsedBanners {
  let content: unknown
  try {
    // Warnings would go to the console by themselves.
    content = parse(text, { logLevel: 'error' })
  } catch (error) {
    return { banners: [], problems: [`${bannerEntry} is no YAML: ${String(error)}`] }
  }
  if (content === null || content === undefined) return { banners: [], problems: [] }
  if (!Array.isArray(content)) return { banners: [], problems: [`${bannerEntry} is no list`] }
  const parsed: ParsedBanners = { banners: [], problems: [] }
  for (const [index, value] of content.entries()) {
    const result = schema.safeParse(withoutBlanks(value))
    // The check of the time zone leaves only names of zones.
    if (result.success) parsed.banners.push(result.data as Banner)
    else {
      const reasons = result.error.issues.map(({ message }) => message)
      parsed.problems.push(`Entry ${index + 1} of ${bannerEntry}: ${reasons.join('; ')}`)
    }
  }
  return parsed
}

/** A field that was written without a value, as in `year:`, is one that is not there. */
function withoutBlanks(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return entry
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null))
}

/** The first whose window is open. */
export const activeBanner = (banners: readonly Banner[], now: Date): Banner | undefined =>
  banners.find((banner) => isActive(banner, now))

/** Whether time alone can show or hide it. */
export const hasWindow = (banner: Banner): boolean => banner.startTime !== undefined && banner.endTime !== undefined

const minuteMs = 60_000

/**
 * Whether the window of a banner is open, by the wall clock of its time zone. Specification 1, section 4:
 * - without a start or an end: always;
 * - one-off (year, month and day): on that date, strictly between start and end;
 * - weekly (day of week): on that weekday, from start to end inclusive, which is to the last second of the end minute;
 * - monthly (day of month without a month): the same on that day of every month.
 *
 * What the specification leaves open: with month and day but no year the window opens every year, with neither day
 * nor date every day. One that ends before it starts never opens.
 */
export function isActive(banner: Banner, now: Date): boolean {
  const { startTime, endTime, timeZone = 'UTC', dayOfWeek, dayOfMonth, year, month } = banner
  if (startTime === undefined || endTime === undefined) return true
  const there = wallClock(now, timeZone)
  const start = msOf(startTime)
  const end = msOf(endTime)
  const isToday = (...fields: ('year' | 'month' | 'dayOfMonth' | 'dayOfWeek')[]) =>
    fields.every((field) => banner[field] === there[field])
  if (year !== undefined && month !== undefined && dayOfMonth !== undefined) {
    return isToday('year', 'month', 'dayOfMonth') && start < there.timeMs && there.timeMs < end
  }
  if (there.timeMs < start || there.timeMs >= end + minuteMs || end < start) return false
  if (dayOfWeek !== undefined) return isToday('dayOfWeek')
  if (dayOfMonth === undefined) return true
  return month === undefined ? isToday('dayOfMonth') : isToday('month', 'dayOfMonth')
}

function msOf(time: string): number {
  const [hours, minutes] = time.split(':')
  return (Number(hours) * 60 + Number(minutes)) * minuteMs
}

interface WallClock {
  year: number
  month: number
  dayOfMonth: number
  dayOfWeek: number
  /** Since midnight, as the clock on the wall shows it. */
  timeMs: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

function wallClock(now: Date, timeZone: string): WallClock {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  formats.set(timeZone, format)
  const part = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = part
  return {
    year,
    month,
    dayOfMonth: day,
    dayOfWeek: new Date(Date.UTC(year, month - 1, day)).getUTCDay(),
    timeMs: ((hour * 60 + minute) * 60 + second) * 1_000 + now.getMilliseconds(),
  }
}
