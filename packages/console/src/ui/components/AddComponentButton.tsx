import type { ButtonProps } from '@patternfly/react-core'
import { type Access, disabledReason, useAccess } from '../../api/access/access'
import { type ApplicationParams, paths } from '../../paths'
import { addComponentChecks } from '../../resources/components'
import type { Action } from '../action'
import { ActionButton } from '../actions/ActionButton'

const label = 'Add component'
const reasonWithout = (mayAdd: Access) => disabledReason(mayAdd, "You don't have access to add a component")

type AddComponentButtonProps = { at: ApplicationParams } & Pick<ButtonProps, 'variant'>

export function AddComponentButton({ at, ...props }: AddComponentButtonProps) {
  const mayAdd = useAccess(addComponentChecks(at.namespace))
  return (
    <ActionButton {...props} to={paths.createComponent(at)} disabledReason={reasonWithout(mayAdd)}>
      {label}
    </ActionButton>
  )
}

/** The same in a menu. @param onSelect goes to the page */
export const addComponentAction = (mayAdd: Access, onSelect: () => void): Action => ({
  label,
  disabledReason: reasonWithout(mayAdd),
  onSelect,
})
