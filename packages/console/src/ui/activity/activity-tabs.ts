import { ApiError } from '@slipway/kube/status'

/** Parts of an activity tab; each is the last segment of its address. */
export const activityTabs = [
  { id: 'latest-commits', label: 'Latest commits' },
  { id: 'pipelineruns', label: 'Pipeline runs' },
] as const
export type ActivityTabId = (typeof activityTabs)[number]['id']

export const defaultActivityTab: ActivityTabId = 'latest-commits'

export const isActivityTab = (id: string | undefined): id is ActivityTabId => activityTabs.some((tab) => tab.id === id)

/** The parts of an activity tab, beside it. @param commitsLabel what the part about commits is called */
export const activityParts = (pathOf: (activityTab: ActivityTabId) => string, commitsLabel?: string) =>
  activityTabs.map(({ id, label }) => ({
    label: (id === 'latest-commits' && commitsLabel) || label,
    to: pathOf(id),
  }))

/** For loaders. @throws ApiError with code 404 for a tab that there is not */
export function activityTabOf(id: string | undefined): ActivityTabId {
  if (isActivityTab(id)) return id
  throw new ApiError({ code: 404, reason: 'NotFound', url: '', message: `There is no activity called ${String(id)}.` })
}
