import { FormGroup, FormHelperText, HelperText, HelperTextItem } from '@patternfly/react-core'
import type { ReactNode } from 'react'

export interface FieldProps<Name extends string = string> {
  /** Path of the value in the form. */
  name: Name
  label: string
  /** Replaced by the error while there is one. */
  description?: ReactNode
  /** A concern that does not prevent submitting; shown in place of the description. */
  warning?: string
  isRequired?: boolean
}

interface FieldShellProps {
  /** What `useField` returns. */
  field: { id: string; error: string | undefined }
  label: ReactNode
  description?: ReactNode
  warning?: string
  isRequired?: boolean
  /** For a field of several controls; each of them needs a label of its own. */
  role?: 'group' | 'radiogroup'
  /** Help with an error, such as a retry button. */
  action?: ReactNode
  children: ReactNode
}

/** Label, control, and below it the description or the error, which is announced when it appears. */
export const Field = ({
  field: { id, error },
  label,
  description,
  warning,
  isRequired,
  role,
  action,
  children,
}: FieldShellProps) => (
  <FormGroup
    fieldId={id}
    label={<span id={labelId(id)}>{label}</span>}
    isRequired={isRequired}
    role={role}
    isStack={role !== undefined}
    aria-describedby={role && helpId(id)}
  >
    {children}
    <FormHelperText>
      <HelperText id={helpId(id)} isLiveRegion>
        {(error ?? warning ?? description) && (
          <HelperTextItem variant={error ? 'error' : warning ? 'warning' : 'default'}>
            {error ?? warning ?? description}
          </HelperTextItem>
        )}
      </HelperText>
      {action}
    </FormHelperText>
  </FormGroup>
)

export const labelId = (id: string): string => `${id}-label`
export const helpId = (id: string): string => `${id}-help`
