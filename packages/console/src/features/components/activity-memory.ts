import { type Stored, stored } from '../../lib/stored'
import { type ActivityTabId, defaultActivityTab, isActivityTab } from '../../ui/activity/activity-tabs'

/** The part of the activity of a component that was looked at last. */
export const rememberedActivity = (component: string): Stored<ActivityTabId> =>
  stored(`${component}_activity-secondary-tab`, (value) =>
    typeof value === 'string' && isActivityTab(value) ? value : defaultActivityTab,
  )
