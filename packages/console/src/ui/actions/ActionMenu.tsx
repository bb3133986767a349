import EllipsisIcon from '@patternfly/react-icons/dist/esm/icons/ellipsis-v-icon'
import { overlayContainer } from '../page/overlay-container'
import { MenuButton } from './MenuButton'
import { blockWrites } from '../page/page-actions'
import { useWriteBlock } from '../../api/live/connectivity'

/** Something that can be done with what is shown. It is always listed; what forbids it is said on it. */
export interface Action {
  label: string
  /** Why this cannot be done now; `false` or absent when it can. */
  disabledReason?: string | false
  onSelect: () => void
  isDanger?: boolean
  /** Changes something, as whatever `isDanger` does: disabled while the cluster does not respond. */
  isWrite?: boolean
}

interface ActionMenuProps {
  /** Accessible name of the toggle, such as `Actions for checkout`. */
  label: string
  /** A function is called when the menu opens. */
  actions: Action[] | (() => Action[])
}

export function ActionMenu({ label, actions }: ActionMenuProps) {
  const block = useWriteBlock()
  const choices = () => blockWrites(typeof actions === 'function' ? actions() : actions, block)
  return <MenuButton label={label} icon={<EllipsisIcon />} appendTo={overlayContainer} choices={choices} />
}
