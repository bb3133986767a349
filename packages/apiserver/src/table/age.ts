/** The age of a timestamp in the format of kubectl: `45s`, `3m20s`, `5h`, `3d`. Source: apimachinery, HumanDuration. */
export function ageOf(timestamp: unknown, nowMs: number): string {
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : NaN
  return Number.isNaN(time) ? '<unknown>' : humanDuration(nowMs - time)
}

export function humanDuration(durationMs: number): string {
  const seconds = Math.trunc(durationMs / 1000)
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 10) return withRest(minutes, 'm', seconds % 60, 's')
  if (minutes < 180) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 8) return withRest(hours, 'h', minutes % 60, 'm')
  if (hours < 48) return `${hours}h`
  const days = Math.floor(hours / 24)
  if (hours < 24 * 8) return withRest(days, 'd', hours % 24, 'h')
  if (hours < 24 * 365 * 2) return `${days}d`
  const years = Math.floor(days / 365)
  return hours < 24 * 365 * 8 ? withRest(years, 'y', days % 365, 'd') : `${years}y`
}

const withRest = (count: number, unit: string, rest: number, restUnit: string): string =>
  rest === 0 ? `${count}${unit}` : `${count}${unit}${rest}${restUnit}`
