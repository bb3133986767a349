import EllipsisIcon from '@patternfly/react-icons/dist/esm/icons/ellipsis-v-icon'
import { offlineReason, useOfflineSince } from '../api/connectivity'
import { insideMain } from './floating'
import { MenuButton } from './MenuButton'

/** Something that can be done with what is shown. It is always listed; what forbids it is said on it. */
export interface Action {
  label: string
  /** Why this cannot be done now; `false` or absent when it can. */
  disabledReason?: string | false
  onSelect: () => void
  isDanger?: boolean
  /** Changes something at once, without a dialog of its own: cannot be done while offline. */
  isWrite?: boolean
}

interface ActionMenuProps {
  /** Accessible name of the toggle, such as `Actions for checkout`. */
  label: string
  actions: Action[]
}

export function ActionMenu({ label, actions }: ActionMenuProps) {
  const offline = offlineReason(useOfflineSince())
  const choices = actions.map(({ isWrite, disabledReason, ...action }) => ({
    ...action,
    disabledReason: (isWrite && offline) || disabledReason,
  }))
  return <MenuButton label={label} icon={<EllipsisIcon />} appendTo={insideMain} choices={choices} />
}
