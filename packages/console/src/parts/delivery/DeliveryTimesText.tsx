import { type Delivery, deliveryTimes } from '@slipway/model/releases/delivery'
import { formatDuration } from '../../lib/dates'
import { useNow } from '../../ui/text/now'
import { stageTexts } from './stage-texts'

/** Days whose deliveries count as the usual ones. */
const usualDays = 30
const dayMs = 24 * 60 * 60 * 1_000

interface DeliveryTimesTextProps {
  /** Of one application. */
  deliveries: readonly Delivery[]
  /** All that began since then are among them; in milliseconds since 1970. */
  completeSinceMs: number
}

/** How long deliveries usually take, and what most of that time is spent on, in a sentence or two. */
export function DeliveryTimesText({ deliveries, completeSinceMs }: DeliveryTimesTextProps) {
  const sinceMs = useNow(false) - usualDays * dayMs
  const times = deliveryTimes(deliveries, sinceMs)
  const period = completeSinceMs > sinceMs ? 'As far as it is loaded, in the last' : 'In the last'
  if (!times) return `${period} ${usualDays} days nothing was released.`
  const { count, total, waitingShare, longestWait } = times
  const percent = Math.round(100 * waitingShare)
  const deliveryCount = count === 1 ? 'one delivery' : `${count} deliveries`
  return (
    `${period} ${usualDays} days, half of ${deliveryCount} took at most ${formatDuration(total.medianMs)} from build to ` +
    `release, and nine in ten ${formatDuration(total.p90Ms)}. ${percent} % of that was waiting` +
    (longestWait ? `, most of it ${stageTexts[longestWait].wait}.` : '.')
  )
}
