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
  'noun' | 'newRow' | 'children' | 'isOrderFixed' | 'areRowsFixed'
> {
  /** Content of the values; `any` by default. */
  content?: FileContent
  /** Whether there are these keys and no others, as in a preset. */
  areKeysFixed?: boolean
  /** Whether values are hidden until the user reveals them. */
  isConfidential?: boolean
}

/** Keys with values that are typed or uploaded, in no particular order. */
export const KeyValuesField = ({
  name,
  content = 'any',
  areKeysFixed,
  isConfidential,
  ...rows
}: KeyValuesFieldProps) => (
  <FieldRows
    name={name}
    noun="key/value pair"
    newRow={(): KeyValue => ({ key: '', value: emptyFile })}
    isOrderFixed
    areRowsFixed={areKeysFixed}
    {...rows}
  >
    {(index) => (
      <>
        <TextField name={`${name}.${index}.key`} label="Key" isRequired isReadOnly={areKeysFixed} />
        <FileField
          name={`${name}.${index}.value`}
          label="Value"
          content={content}
          isConfidential={isConfidential}
          isRequired
        />
      </>
    )}
  </FieldRows>
)
