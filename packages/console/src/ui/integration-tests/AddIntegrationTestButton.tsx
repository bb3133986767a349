import type { ButtonProps } from '@patternfly/react-core'
import { type Access, disabledReason, useAccess } from '../../api/access/access'
import { type ApplicationParams, paths } from '../../paths'
import { addIntegrationTestChecks } from '../../resources/integration-test-scenarios'
import type { Action } from '../action'
import { ActionButton } from '../actions/ActionButton'

const label = 'Add integration test'
const reasonWithout = (mayAdd: Access) => disabledReason(mayAdd, "You don't have access to add an integration test")

type AddIntegrationTestButtonProps = { at: ApplicationParams } & Pick<ButtonProps, 'variant'>

export function AddIntegrationTestButton({ at, ...props }: AddIntegrationTestButtonProps) {
  const mayAdd = useAccess(addIntegrationTestChecks(at.namespace))
  return (
    <ActionButton {...props} to={paths.addIntegrationTest(at)} disabledReason={reasonWithout(mayAdd)}>
      {label}
    </ActionButton>
  )
}

/** The same in a menu. @param onSelect goes to the page */
export const addIntegrationTestAction = (mayAdd: Access, onSelect: () => void): Action => ({
  label,
  disabledReason: reasonWithout(mayAdd),
  onSelect,
})
