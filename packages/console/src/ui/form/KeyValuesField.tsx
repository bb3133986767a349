import { emptyFile, type FileContent, type FileValue } from '../../lib/file-value'
import { FieldRows, type FieldRowsProps } from './FieldRows'
import { FileField } from './FileField'
import { TextField } from './TextField'

export interface KeyValue {
  key: string
  value: FileValue
}

export interface KeyValuesFieldProps<Name extends string = string> extends Omit<
  FieldRowsProps<Name>,
  'noun' | 'newRow' | 'children' | 'isOrderFixed'
> {
  /** Content of the values; `any` by default. */
  content?: FileContent
  /** Whether the keys are read-only, as in a preset. */
  areKeysFixed?: boolean
}

/** Keys with values that are typed or uploaded, in no particular order. */
export const KeyValuesField = ({ name, content = 'any', areKeysFixed, ...rows }: KeyValuesFieldProps) => (
  <FieldRows
    name={name}
    noun="key/value pair"
    newRow={(): KeyValue => ({ key: '', value: emptyFile })}
    isOrderFixed
    {...rows}
  >
    {(index) => (
      <>
        <TextField name={`${name}.${index}.key`} label="Key" isRequired isReadOnly={areKeysFixed} />
        <FileField name={`${name}.${index}.value`} label="Value" content={content} isRequired />
      </>
    )}
  </FieldRows>
)
