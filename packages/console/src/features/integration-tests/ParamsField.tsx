import { newParam } from '@slipway/model/snapshots/integration-test-edit'
import { fieldsOf } from '../../ui/form/fields'
import { type ParamsInput, paramRow } from './integration-test-form'

const { FieldRows, TextField } = fieldsOf<ParamsInput>()

/** The parameters that a test gives to its pipeline, each with one or several values. */
export const ParamsField = () => (
  <FieldRows
    name="params"
    label="Parameters"
    description="Passed to the pipeline of the test. A parameter can have several values."
    noun="parameter"
    newRow={(rows) => paramRow(newParam(rows))}
  >
    {(index) => (
      <>
        <TextField name={`params.${index}.name`} label="Name" isRequired />
        <FieldRows
          name={`params.${index}.values`}
          label="Values"
          noun="value"
          minRows={1}
          isOrderFixed
          newRow={() => ({ value: '' })}
        >
          {(at) => <TextField name={`params.${index}.values.${at}.value`} label="Value" />}
        </FieldRows>
      </>
    )}
  </FieldRows>
)
