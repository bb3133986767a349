import { nameOf, specOf } from '@slipway/kube/object'
import { snapshotTitle } from '@slipway/model/overview/namespace-health'
import { type Release, releaseStatus } from '@slipway/model/releases/release'
import type { ReleasePlanState } from '@slipway/model/releases/release-plan-state'
import { formatZonedDate } from '../../lib/dates'
import type { ContextItem } from '../../ui/page/ContextSwitcher'

/** The snapshots that a plan has released and those that it could release next, the newest first. */
export function comparisonChoices(state: ReleasePlanState, releases: readonly Release[]): ContextItem[] {
  const newer = state.newer.map(({ snapshot }) => ({
    key: nameOf(snapshot),
    name: nameOf(snapshot),
    description: `Newer: ${snapshotTitle(snapshot)}`,
  }))
  const released = releases
    .filter((release) => releaseStatus(release) === 'Succeeded')
    .flatMap((release) => {
      const { snapshot } = specOf(release)
      const time = release.status?.completionTime
      const isCurrent = state.current && nameOf(release) === nameOf(state.current)
      const description = isCurrent ? 'Released now' : time && `Released on ${formatZonedDate(time)}`
      return snapshot ? [{ key: snapshot, name: snapshot, description }] : []
    })
  // A snapshot may have been released several times, and before an older one: the first entry counts.
  return [...new Map([...newer, ...released].reverse().map((choice) => [choice.key, choice])).values()].reverse()
}

/**
 * What users most likely want to compare: what is there with what would come next, or else with what was there before.
 * @param choices as from `comparisonChoices`
 */
export function firstComparison(
  state: ReleasePlanState,
  choices: readonly ContextItem[],
): [from?: string, to?: string] {
  const current = state.current && specOf(state.current).snapshot
  const [newest] = state.newer
  if (newest) return [current, nameOf(newest.snapshot)]
  return [choices.find(({ key }) => key !== current)?.key, current]
}
