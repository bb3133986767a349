import { emptyFile, type FileValue } from '../../lib/file-value'
import { fieldsOf } from './fields'
import type { OptionsQuery } from './options'

// Compiled, never run: a wrong name must be an error, or `tsc` reports an unused `@ts-expect-error`.

interface Values {
  name: string
  isPrivate: boolean
  role?: 'Admin' | 'Contributor'
  contexts: string[]
  file: FileValue
  params: { name: string; values: { value: string }[] }[]
}

/** As from `useQuery({ ...releasePlans.list(namespace), select: toOptions })`. */
declare const query: OptionsQuery

const { TextField, CheckboxField, SelectField, MultiSelectField, FileField, FieldRows, RadioField } = fieldsOf<Values>()

export const valid = (
  <>
    <TextField name="name" label="Name" />
    <TextField name="file.name" label="File name" />
    <CheckboxField name="isPrivate" label="Private" />
    <RadioField name="role" label="Role" options={[{ value: 'Admin' }]} />
    <SelectField name="role" label="Role" options={[{ value: 'Admin' }]} />
    <MultiSelectField name="contexts" label="Contexts" options={query} fixedOptions={[{ value: 'push' }]} />
    <FileField name="file" label="File" content="text" />
    <FieldRows
      name="params"
      label="Parameters"
      noun="parameter"
      newRow={(rows) => ({ name: `${rows[0]?.name ?? 'param'}-2`, values: [] })}
    >
      {(index) => (
        <>
          <TextField name={`params.${index}.name`} label="Name" />
          <FieldRows name={`params.${index}.values`} label="Values" noun="value" newRow={() => ({ value: '' })}>
            {(at) => <TextField name={`params.${index}.values.${at}.value`} label="Value" />}
          </FieldRows>
        </>
      )}
    </FieldRows>
  </>
)

export const invalid = (
  <>
    {/* @ts-expect-error a typo */}
    <TextField name="nmae" label="Name" />
    {/* @ts-expect-error a value of another type */}
    <TextField name="isPrivate" label="Private" />
    {/* @ts-expect-error a list is not one value */}
    <SelectField name="contexts" label="Contexts" options={[]} />
    {/* @ts-expect-error text is not a file */}
    <FileField name="name" label="File" content="text" />
    {/* @ts-expect-error a value is not a list of groups */}
    <FieldRows name="name" label="Names" noun="name" newRow={() => emptyFile}>
      {() => null}
    </FieldRows>
    {/* @ts-expect-error a row of another shape */}
    <FieldRows name="params" label="Parameters" noun="parameter" newRow={() => ({ key: '' })}>
      {/* @ts-expect-error a typo in a row */}
      {(index) => <TextField name={`params.${index}.nmae`} label="Name" />}
    </FieldRows>
  </>
)
