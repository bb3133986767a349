/** Dates and durations as the specification words them, in the time zone of the reader, in English. */

const dateParts = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'long',
  day: '2-digit',
  hour: 'numeric',
  minute: '2-digit',
  hourCycle: 'h12',
})

/** `January 31, 2026, 9:00 AM`; a day below ten keeps its zero: `March 05, 2026, 12:30 PM`. */
export function formatDate(time: string | number | Date): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return '-'
  const part = Object.fromEntries(dateParts.formatToParts(date).map(({ type, value }) => [type, value]))
  return `${part.month} ${part.day}, ${part.year}, ${part.hour}:${part.minute} ${part.dayPeriod}`
}

const secondMs = 1_000
const units = [
  ['w', 7 * 24 * 3600],
  ['d', 24 * 3600],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const

/** `1w 2d`, `3h 5m 10s`, `0s`: every unit that counts, largest first. Negative durations are `0s`. */
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

/** `1 hour 1 minute 1 second`, `less than a second`: what a screen reader is to say, or a sentence to hold. */
export function formatDurationLong(durationMs: number): string {
  const short = formatDuration(durationMs)
  if (short === '0s') return 'less than a second'
  return short.replace(/(\d+)([wdhms])/g, (_, count: string, unit: keyof typeof longUnits) => {
    const word = longUnits[unit]
    return `${count} ${word}${count === '1' ? '' : 's'}`
  })
}

const relativeFormat = new Intl.RelativeTimeFormat('en', { numeric: 'always' })
const relativeUnits = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['week', 7 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const

/** `Just now` up to one minute, then `5 minutes ago`, `in 2 days`. A clock that is slightly ahead is `Just now` too. */
export function formatRelative(time: string | number | Date, nowMs: number): string {
  const seconds = (new Date(time).getTime() - nowMs) / secondMs
  if (Number.isNaN(seconds)) return '-'
  if (Math.abs(seconds) <= 60) return 'Just now'
  const [unit, size] = relativeUnits.find(([, size]) => Math.abs(seconds) >= size) ?? relativeUnits[5]
  return relativeFormat.format(Math.trunc(seconds / size), unit)
}
