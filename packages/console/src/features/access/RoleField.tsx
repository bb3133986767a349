import { FormGroup, FormHelperText, HelperText, HelperTextItem, Radio } from '@patternfly/react-core'
import type { GrantableRole } from '@slipway/model/public-info'
import { accessRoles, configuredRole } from '@slipway/model/user-access'
import { useId } from 'react'
import { useController } from 'react-hook-form'

/** One of the roles that the platform is configured with, in its own words. */
export function RoleField({ roles }: { roles: readonly GrantableRole[] }) {
  const id = useId()
  const { field, fieldState } = useController<{ role: string }>({ name: 'role' })
  const offered = accessRoles.filter((role) => configuredRole(roles, role))
  const problem = offered.length === 0 ? 'This platform is configured with no role.' : fieldState.error?.message
  return (
    <FormGroup role="radiogroup" fieldId={id} label="Role" isRequired isStack>
      {offered.map((role) => {
        const configured = configuredRole(roles, role)
        return (
          configured && (
            <Radio
              key={role}
              id={`${id}-${role}`}
              name={field.name}
              label={configured.displayName}
              description={configured.description}
              isChecked={field.value === role}
              onChange={() => field.onChange(role)}
              onBlur={field.onBlur}
            />
          )
        )
      })}
      {problem && (
        <FormHelperText>
          <HelperText isLiveRegion>
            <HelperTextItem variant="error">{problem}</HelperTextItem>
          </HelperText>
        </FormHelperText>
      )}
    </FormGroup>
  )
}
