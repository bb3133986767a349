import type { ButtonProps } from '@patternfly/react-core'
import { applicationType } from '@slipway/model/application'
import { componentType } from '@slipway/model/component'
import { type AccessCheck, denial, useAccess } from '../../api/access'
import { paths } from '../../paths'
import { ActionButton } from '../ActionButton'

/** What it takes to create an application. */
export const toCreateApplication = (namespace: string): AccessCheck[] => [
  { verb: 'create', type: applicationType, namespace },
  { verb: 'create', type: componentType, namespace },
]

export function CreateApplicationButton({ namespace, ...props }: { namespace: string } & Pick<ButtonProps, 'variant'>) {
  const mayCreate = useAccess(toCreateApplication(namespace))
  return (
    <ActionButton
      {...props}
      to={paths.createApplication({ namespace })}
      disabledReason={denial(mayCreate, "You don't have access to create an application")}
    >
      Create application
    </ActionButton>
  )
}
