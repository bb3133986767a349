import type { ButtonProps } from '@patternfly/react-core'
import { disabledReason, useAccess } from '../../api/access/access'
import { paths } from '../../paths'
import { createApplicationChecks } from '../../resources/applications'
import { ActionButton } from '../actions/ActionButton'

export function CreateApplicationButton({ namespace, ...props }: { namespace: string } & Pick<ButtonProps, 'variant'>) {
  const mayCreate = useAccess(createApplicationChecks(namespace))
  return (
    <ActionButton
      {...props}
      to={paths.createApplication({ namespace })}
      disabledReason={disabledReason(mayCreate, "You don't have access to create an application")}
    >
      Create application
    </ActionButton>
  )
}
