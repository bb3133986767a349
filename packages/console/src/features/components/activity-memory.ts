import { type Stored, stored } from '../../lib/stored'
import type { ComponentParams } from '../../paths'
import { type ActivityTabId, defaultActivityTab, isActivityTab } from '../../parts/activity/activity-tabs'

/** The activity subtab of a component that was viewed last. */
export const rememberedActivity = ({ namespace, component }: ComponentParams): Stored<ActivityTabId> =>
  stored(`${namespace}/${component}_activity-secondary-tab`, (value) =>
    typeof value === 'string' && isActivityTab(value) ? value : defaultActivityTab,
  )
