const clockFormat = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
})

/** `09:00:00.123`, in the time zone of the reader. */
export const clockTime = (timeMs: number): string => clockFormat.format(timeMs)

/** `+0.123`, `+1:02.345`, `+1:00:02.345`. */
export function timeSince(timeMs: number, startMs: number): string {
  const sinceMs = Math.max(0, Math.round(timeMs - startMs))
  const [hours, minutes, seconds] = [sinceMs / 3_600_000, (sinceMs / 60_000) % 60, (sinceMs / 1_000) % 60].map(
    Math.floor,
  )
  const fraction = String(sinceMs % 1_000).padStart(3, '0')
  const two = (part = 0) => String(part).padStart(2, '0')
  if (hours) return `+${hours}:${two(minutes)}:${two(seconds)}.${fraction}`
  return minutes ? `+${minutes}:${two(seconds)}.${fraction}` : `+${seconds}.${fraction}`
}
