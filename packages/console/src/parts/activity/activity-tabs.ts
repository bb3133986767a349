import { ApiError } from '@slipway/kube/status'

/** Subtabs of an activity tab; each id is the last segment of its URL. */
export const activityTabs = [
  { id: 'latest-commits', label: 'Latest commits' },
  { id: 'pipelineruns', label: 'Pipeline runs' },
] as const
export type ActivityTabId = (typeof activityTabs)[number]['id']

export const defaultActivityTab: ActivityTabId = 'latest-commits'

export const isActivityTab = (id: string | undefined): id is ActivityTabId => activityTabs.some((tab) => tab.id === id)

/** The subtabs of an activity tab. @param commitsLabel label of the subtab with commits */
export const activityParts = (pathOf: (activityTab: ActivityTabId) => string, commitsLabel?: string) =>
  activityTabs.map(({ id, label }) => ({
    label: (id === 'latest-commits' && commitsLabel) || label,
    to: pathOf(id),
  }))

/** @throws ApiError with code 404 for an unknown subtab */
export function activityTabOf(id: string | undefined): ActivityTabId {
  if (isActivityTab(id)) return id
  throw new ApiError({ code: 404, reason: 'NotFound', url: '', message: `There is no activity called ${String(id)}.` })
}
