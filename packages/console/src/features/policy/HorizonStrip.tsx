import { happeningText } from '@slipway/model/policy/policy-dates-text'
import { daysUntil, horizonDays, type PolicyDate } from '@slipway/model/policy/policy-horizon'
import { plural } from '../../parts/graph/node-text'

interface HorizonStripProps {
  dates: readonly PolicyDate[]
  nowMs: number
}

/** The days from today on as a line, with how many dates are on which. The table below it says the same in words. */
export function HorizonStrip({ dates, nowMs }: HorizonStripProps) {
  const byDay = new Map<number, PolicyDate[]>()
  for (const date of dates) {
    const day = date.isDue ? 0 : daysUntil(nowMs, date.atMs)
    byDay.set(day, [...(byDay.get(day) ?? []), date])
  }
  return (
    <div
      role="img"
      aria-label={`${plural(dates.length, 'date')} in the next ${horizonDays} days`}
      className="slipway-horizon"
    >
      <span className="slipway-horizon__tick" style={{ insetInlineStart: 0 }}>
        Today
      </span>
      {monthsFrom(nowMs).map(({ name, day }) => (
        <span key={name} className="slipway-horizon__tick" style={{ insetInlineStart: positionOf(day) }}>
          {name}
        </span>
      ))}
      {[...byDay].map(([day, ofDay]) => (
        <span
          key={day}
          className={`slipway-horizon__pin${ofDay.some(({ isDue }) => isDue) ? ' slipway-horizon__pin--due' : ''}`}
          style={{ insetInlineStart: positionOf(day) }}
          title={ofDay.map((date) => `${happeningText(date)}: ${date.title}`).join('\n')}
        >
          {ofDay.length}
        </span>
      ))}
    </div>
  )
}

const positionOf = (day: number): string => `${(day / horizonDays) * 100}%`

const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long' })

/** Where the months begin, without one whose name would touch that of today. */
function monthsFrom(nowMs: number): { name: string; day: number }[] {
  const now = new Date(nowMs)
  return [1, 2, 3].flatMap((offset) => {
    const first = new Date(now.getFullYear(), now.getMonth() + offset, 1)
    const day = daysUntil(nowMs, first.getTime())
    return day > 7 && day < horizonDays - 7 ? { name: monthFormat.format(first), day } : []
  })
}
