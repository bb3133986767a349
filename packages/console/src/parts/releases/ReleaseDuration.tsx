import type { Release } from '@slipway/model/releases/release'
import { displayReleaseStatus, isReleaseOver } from '../status/display-status'
import { Duration } from '../text/Duration'

/** How long a release has taken. */
export function ReleaseDuration({ release }: { release: Release }) {
  const { startTime, completionTime } = release.status ?? {}
  const status = displayReleaseStatus(release)
  return (
    <Duration from={startTime} to={completionTime} isOver={isReleaseOver(status)} isPending={status === 'Unknown'} />
  )
}
