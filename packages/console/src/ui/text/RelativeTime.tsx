import { formatDate, formatRelative } from '../../lib/dates'
import { useNow } from './now'
import { useTooltip } from './tooltip'

const zone = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' })
const minuteMs = 60_000

/** `5 minutes ago`, with the exact time and its zone as the tooltip; `-` without a time. */
export const RelativeTime = ({ time }: { time: string | undefined }) =>
  !time || Number.isNaN(Date.parse(time)) ? '-' : <KnownTime time={time} />

function KnownTime({ time }: { time: string }) {
  const now = useNow(minuteMs)
  const { trigger, tooltip } = useTooltip<HTMLTimeElement>(() => `${formatDate(time)} ${zoneName(time)}`)
  return (
    <>
      <time {...trigger} dateTime={time} tabIndex={0} className="slipway-relative-time">
        {formatRelative(time, now)}
      </time>
      {tooltip}
    </>
  )
}

const zoneName = (time: string): string =>
  zone.formatToParts(new Date(time)).find(({ type }) => type === 'timeZoneName')?.value ?? ''
