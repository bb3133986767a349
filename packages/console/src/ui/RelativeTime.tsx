import { Tooltip } from '@patternfly/react-core'
import { formatDate, formatRelative } from '../lib/dates'
import { insideMain } from './floating'
import { useNow } from './now'

const zone = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' })
const minuteMs = 60_000

/** `5 minutes ago`, with the exact time and its zone as the tooltip; `-` without a time. */
export function RelativeTime({ time }: { time: string | undefined }) {
  const now = useNow(time ? minuteMs : false)
  if (!time || Number.isNaN(Date.parse(time))) return '-'
  return (
    <Tooltip content={`${formatDate(time)} ${zoneName(time)}`} appendTo={insideMain}>
      <time dateTime={time} tabIndex={0} className="slipway-relative-time">
        {formatRelative(time, now)}
      </time>
    </Tooltip>
  )
}

const zoneName = (time: string): string =>
  zone.formatToParts(new Date(time)).find(({ type }) => type === 'timeZoneName')?.value ?? ''
