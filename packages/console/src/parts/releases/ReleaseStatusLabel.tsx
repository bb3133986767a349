import type { Release } from '@slipway/model/releases/release'
import { displayReleaseStatus, displayReleaseVerdict } from '../status/display-status'
import { StatusLabel } from '../status/StatusLabel'

/** The status of a release, and what it comes to. */
export const ReleaseStatusLabel = ({ release }: { release: Release }) => (
  <StatusLabel status={displayReleaseStatus(release)} verdict={displayReleaseVerdict(release)} />
)
