import { formatExactTime, formatRelative, formatZonedDate } from '../../lib/dates'
import { useNow } from './now'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

interface TimeProps {
  /** RFC 3339; `-` without one. */
  time: string | undefined
}

/** `5m ago`; the exact time, its zone and the same in UTC are in the tooltip, which screen readers give as the description. */
export const RelativeTime = ({ time }: TimeProps) => <Shown time={time} text={formatRelative} />

/** `January 31, 2026, 9:00 AM GMT+1 (5m ago)`, where there is room for both; after a day the date alone. */
export const DateAndAge = ({ time }: TimeProps) => <Shown time={time} text={dateAndAge} />

function dateAndAge(time: string, nowMs: number): string {
  const date = formatZonedDate(time)
  return Math.abs(nowMs - Date.parse(time)) < dayMs ? `${date} (${formatRelative(time, nowMs)})` : date
}

interface ShownProps extends TimeProps {
  text: (time: string, nowMs: number) => string
}

function Shown({ time, text }: ShownProps) {
  const isTime = time !== undefined && !Number.isNaN(Date.parse(time))
  const now = useNow(isTime && minuteMs)
  if (!isTime) return '-'
  return (
    <time dateTime={time} title={formatExactTime(time)}>
      {text(time, now)}
    </time>
  )
}
