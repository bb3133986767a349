import { parse } from 'yaml'
import * as z from 'zod/mini'
import type { Banner } from './banner'
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
  const message = `${field} must be between ${low} and ${high}`
  return integer(field, low, high, { low: message, high: message })
}

const zoneMessage = 'Invalid timeZone format, expected valid IANA zone like "UTC" or "Asia/Shanghai"'

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
    timeZone: z.optional(z.string(zoneMessage).check(z.refine(isTimeZone, zoneMessage))),
    dayOfWeek: between('dayOfWeek', 0, 6),
    dayOfMonth: between('dayOfMonth', 1, 31),
    year: integer('year', 1970, 9999, { low: 'year must be >= 1970', high: 'year must be <= 9999' }),
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

const hasDate = ({ year, month, dayOfWeek, dayOfMonth }: Partial<Banner>): boolean =>
  [year, month, dayOfWeek, dayOfMonth].some((value) => value !== undefined)

/** Whether this is a zone of the IANA database. Offsets such as `+02:00`, which some engines accept, are not. */
function isTimeZone(value: string): boolean {
  if (!/^[a-z]/i.test(value)) return false
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: value }) !== undefined
  } catch {
    return false
  }
}

export interface ParsedBanners {
  /** Valid entries, in order. */
  banners: Banner[]
  /** Errors of the other entries, worded for their author. */
  errors: string[]
}

/** @param text a YAML list; anything else gives no banners and one error */
export function parseBanners(text: string): ParsedBanners {
  let content: unknown
  try {
    // By default the parser writes warnings to the console.
    content = parse(text, { logLevel: 'error' })
  } catch (error) {
    return { banners: [], errors: [`${bannerEntry} is not valid YAML: ${String(error)}`] }
  }
  if (content === null || content === undefined) return { banners: [], errors: [] }
  if (!Array.isArray(content)) return { banners: [], errors: [`${bannerEntry} is not a list`] }
  const parsed: ParsedBanners = { banners: [], errors: [] }
  for (const [index, value] of content.entries()) {
    const result = schema.safeParse(withoutBlanks(value))
    if (result.success) parsed.banners.push(result.data)
    else {
      const reasons = result.error.issues.map(({ message }) => message)
      parsed.errors.push(`Entry ${index + 1} of ${bannerEntry}: ${reasons.join('; ')}`)
    }
  }
  return parsed
}

/** A field without a value, as in `year:`, counts as absent. */
function withoutBlanks(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return entry
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null))
}
