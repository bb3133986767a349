import EllipsisIcon from '@patternfly/react-icons/dist/esm/icons/ellipsis-v-icon'
import type { Action } from '../action'
import { useOverlayContainer } from '../page/overlay-container'
import { MenuButton } from './MenuButton'
import type { MenuChoice } from './MenuPopup'
import { blockWrites } from '../page/page-actions'
import { useWriteBlock } from '../../api/live/connectivity'

interface ActionMenuProps {
  /** Accessible name of the toggle, such as `Actions for checkout`. */
  label: string
  /** A function is called when the menu opens. */
  actions: Action[] | (() => Action[])
}

export function ActionMenu({ label, actions }: ActionMenuProps) {
  const block = useWriteBlock()
  const choices = () => grouped(blockWrites(typeof actions === 'function' ? actions() : actions, block))
  return <MenuButton label={label} icon={<EllipsisIcon />} appendTo={useOverlayContainer()} choices={choices} />
}

function grouped(actions: Action[]): MenuChoice[] {
  const [first, ...others] = actions.filter(({ isAddition }) => isAddition)
  const specified = actions.filter(({ isAddition }) => !isAddition)
  return first ? [...specified, { ...first, startsGroup: true }, ...others] : specified
}
