import type { ButtonProps } from '@patternfly/react-core'
import { disabledReason, useAccess } from '../../api/access/access'
import { type NamespaceParams, paths } from '../../paths'
import { createReleasePlanChecks } from '../../resources/release-plans'
import { ActionButton } from '../actions/ActionButton'

export function CreateReleasePlanButton({ namespace, ...props }: NamespaceParams & Pick<ButtonProps, 'variant'>) {
  const mayCreate = useAccess(createReleasePlanChecks(namespace))
  return (
    <ActionButton
      {...props}
      to={paths.createReleasePlan({ namespace })}
      disabledReason={disabledReason(mayCreate, "You don't have access to create a release plan")}
    >
      Create release plan
    </ActionButton>
  )
}
