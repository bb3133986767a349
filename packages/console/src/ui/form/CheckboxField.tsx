import { Checkbox, FormGroup, FormHelperText, HelperText, HelperTextItem } from '@patternfly/react-core'
import { helpId, type FieldProps } from './Field'
import { useField } from './use-field'

/** A yes/no choice, with its label next to it. */
export function CheckboxField({ name, label, description, isRequired }: FieldProps) {
  const field = useField<boolean>(name)
  return (
    <FormGroup>
      <Checkbox
        {...field.inputProps}
        label={label}
        description={description}
        isRequired={isRequired}
        isChecked={field.value}
        onChange={(_, isChecked) => field.onChange(isChecked)}
        isValid={!field.error}
      />
      <FormHelperText>
        <HelperText id={helpId(field.id)} isLiveRegion>
          {field.error && <HelperTextItem variant="error">{field.error}</HelperTextItem>}
        </HelperText>
      </FormHelperText>
    </FormGroup>
  )
}
