/** Dates and durations as the specification formats them, in English and in the user's time zone. */

const dateParts = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'long',
  day: '2-digit',
  hour: 'numeric',
  minute: '2-digit',
  hourCycle: 'h12',
})

const exact = { dateStyle: 'long', timeStyle: 'long' } as const
const exactTime = new Intl.DateTimeFormat('en-US', exact)
const exactTimeInUtc = new Intl.DateTimeFormat('en-US', { ...exact, timeZone: 'UTC' })

/**
 * To the second, with the time zone and the same in UTC: `January 31, 2026 at 10:00:05 AM GMT+1 (9:00:05 AM UTC)`, where
 * the date is said again only if it is another one; `-` for an invalid time.
 */
export function formatExactTime(time: string | number | Date): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return '-'
  const local = exactTime.format(date)
  const utc = exactTimeInUtc.format(date)
  if (local === utc) return local
  const [day = ''] = local.split(' at ')
  return `${local} (${utc.replace(`${day} at `, '')})`
}

/** `January 31, 2026, 9:00 AM`; a day below ten keeps its zero: `March 05, 2026, 12:30 PM`. */
export function formatDate(time: string | number | Date): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return '-'
  const part = Object.fromEntries(dateParts.formatToParts(date).map(({ type, value }) => [type, value]))
  return `${part.month} ${part.day}, ${part.year}, ${part.hour}:${part.minute} ${part.dayPeriod}`
}

const zoneName = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' })

/** With the name of the time zone at that time, which may be that of the summer: `January 31, 2026, 9:00 AM GMT+1`. */
export function formatZonedDate(time: string | number | Date): string {
  const text = formatDate(time)
  if (text === '-') return text
  const zone = zoneName.formatToParts(new Date(time)).find(({ type }) => type === 'timeZoneName')
  return `${text} ${zone?.value}`
}

const secondMs = 1_000
const units = [
  ['w', 7 * 24 * 3600],
  ['d', 24 * 3600],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const

/** `1w 2d`, `3h 5m 10s`, `0s`: every unit that is not zero, largest first. Negative durations are `0s`. */
export function formatDuration(durationMs: number): string {
  let seconds = Math.max(0, Math.floor(durationMs / secondMs))
  if (!Number.isFinite(seconds)) return '-'
  const parts: string[] = []
  for (const [unit, size] of units) {
    const count = Math.floor(seconds / size)
    seconds -= count * size
    if (count > 0) parts.push(`${count}${unit}`)
  }
  return parts.join(' ') || '0s'
}

const longUnits = { w: 'week', d: 'day', h: 'hour', m: 'minute', s: 'second' } as const

/** `1 hour 1 minute 1 second`, `less than a second`: for screen readers and sentences. */
export function formatDurationLong(durationMs: number): string {
  const short = formatDuration(durationMs)
  if (short === '0s') return 'less than a second'
  return short.replace(/(\d+)([wdhms])/g, (_, count: string, unit: keyof typeof longUnits) => {
    const word = longUnits[unit]
    return `${count} ${word}${count === '1' ? '' : 's'}`
  })
}

const monthAndDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' })
const monthDayAndYear = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' })

/**
 * `Just now` up to one minute, then `5m ago`, `2h ago`, `in 3h`; from one day on the date: `Sep 24`, or `Sep 24, 2025`
 * in another year. A time slightly in the future is `Just now` too.
 */
export function formatRelative(time: string | number | Date, nowMs: number): string {
  const date = new Date(time)
  const seconds = (date.getTime() - nowMs) / secondMs
  if (Number.isNaN(seconds)) return '-'
  const minutes = Math.floor(Math.abs(seconds) / 60)
  if (Math.abs(seconds) <= 60) return 'Just now'
  if (minutes >= 24 * 60) {
    const isThisYear = date.getFullYear() === new Date(nowMs).getFullYear()
    return (isThisYear ? monthAndDay : monthDayAndYear).format(date)
  }
  const distance = minutes < 60 ? `${minutes}m` : `${Math.floor(minutes / 60)}h`
  return seconds < 0 ? `${distance} ago` : `in ${distance}`
}
