/** A message from the platform's operators at the top of every page. */
export interface Banner {
  summary: string
  type: 'info' | 'warning' | 'danger'
  /** `HH:mm` in the time zone. */
  startTime?: string | undefined
  endTime?: string | undefined
  /** Zone of the IANA database; UTC by default. */
  timeZone?: string | undefined
  /** 0 is Sunday. */
  dayOfWeek?: number | undefined
  dayOfMonth?: number | undefined
  year?: number | undefined
  /** 1 is January. */
  month?: number | undefined
}

/** The first banner whose window is open. */
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
  if (there.timeMs < start || there.timeMs >= end + minuteMs) return false
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
  /** Time since midnight as a wall clock shows it. */
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
