import type { ReactNode } from 'react'
import type { FieldArray, FieldArrayPath, FieldPathByValue, FieldValues } from 'react-hook-form'
import type { FileValue } from '../../lib/file-value'
import { lazyComponent } from '../page/lazy-component'
import { CheckboxField } from './CheckboxField'
import { ComboboxField, type ComboboxFieldProps } from './ComboboxField'
import type { FieldProps } from './Field'
import { FieldRows, type FieldRowsProps } from './FieldRows'
import type { FileFieldProps } from './FileField'
import type { KeyValue, KeyValuesFieldProps } from './KeyValuesField'
import { MultiSelectField, type MultiSelectFieldProps } from './MultiSelectField'
import { PasswordField } from './PasswordField'
import { RadioField, type RadioFieldProps } from './RadioField'
import { SelectField, type SelectFieldProps } from './SelectField'
import { TextAreaField, type TextAreaFieldProps } from './TextAreaField'
import { TextField, type TextFieldProps } from './TextField'

/** Paths of the form values that have a given type. */
type PathOf<Values extends FieldValues, Value> = FieldPathByValue<Values, Value | undefined> & string

/** Each field accepts only the names of values of its type. */
interface FieldsOf<Values extends FieldValues> {
  TextField: (props: TextFieldProps<PathOf<Values, string>>) => ReactNode
  TextAreaField: (props: TextAreaFieldProps<PathOf<Values, string>>) => ReactNode
  PasswordField: (props: FieldProps<PathOf<Values, string>>) => ReactNode
  CheckboxField: (props: FieldProps<PathOf<Values, boolean>>) => ReactNode
  RadioField: (props: RadioFieldProps<PathOf<Values, string>>) => ReactNode
  ComboboxField: (props: ComboboxFieldProps<PathOf<Values, string>>) => ReactNode
  SelectField: (props: SelectFieldProps<PathOf<Values, string>>) => ReactNode
  MultiSelectField: (props: MultiSelectFieldProps<PathOf<Values, string[]>>) => ReactNode
  FileField: (props: FileFieldProps<PathOf<Values, FileValue>>) => ReactNode
  FieldRows: <Name extends FieldArrayPath<Values>>(
    props: FieldRowsProps<Name, FieldArray<Values, Name>, FieldArray<Values, Name>>,
  ) => ReactNode
  KeyValuesField: (props: KeyValuesFieldProps<PathOf<Values, KeyValue[]>>) => ReactNode
}

// Loaded on demand: few forms take files, and the code that reads dropped ones is large.
const FileField = lazyComponent(() => import('./FileField'), 'FileField')
const KeyValuesField = lazyComponent(() => import('./KeyValuesField'), 'KeyValuesField')

const fields = {
  TextField,
  TextAreaField,
  PasswordField,
  CheckboxField,
  RadioField,
  ComboboxField,
  SelectField,
  MultiSelectField,
  FileField,
  FieldRows,
  KeyValuesField,
}

/**
 * The fields of a form whose names are paths of its values: `const { TextField } = fieldsOf<z.input<typeof schema>>()`.
 * A name that the form does not have, or whose value has another type, does not compile. The rows of `FieldRows` must
 * be objects: `fields.type-test.tsx` is an example with nested rows and a select that is filled by a query.
 */
export const fieldsOf = <Values extends FieldValues>(): FieldsOf<Values> => fields
