import { fieldsOf } from '../../ui/form/fields'
import type { SecretInput } from './secret-form'

const { FieldRows, TextField } = fieldsOf<Pick<SecretInput, 'labels'>>()

/** The labels that users give a secret. */
export const LabelRows = () => (
  <FieldRows name="labels" label="Labels" noun="label" newRow={() => ({ key: '', value: '' })} isOrderFixed>
    {(index) => (
      <>
        <TextField name={`labels.${index}.key`} label="Key" isRequired />
        <TextField name={`labels.${index}.value`} label="Value" />
      </>
    )}
  </FieldRows>
)
