import EllipsisIcon from '@patternfly/react-icons/dist/esm/icons/ellipsis-v-icon'
import type { Action } from '../action'
import { overlayContainer } from '../page/overlay-container'
import { MenuButton } from './MenuButton'
import { useBlockedWrites } from '../page/page-actions'

interface ActionMenuProps {
  /** Accessible name of the toggle, such as `Actions for checkout`. */
  label: string
  actions: Action[]
}

export function ActionMenu({ label, actions }: ActionMenuProps) {
  const choices = useBlockedWrites(actions)
  return <MenuButton label={label} icon={<EllipsisIcon />} appendTo={overlayContainer} choices={choices} />
}
