import type { ReactNode } from 'react'
import type { FieldArray, FieldArrayPath, FieldPathByValue, FieldValues } from 'react-hook-form'
import type { FileValue } from '../../lib/file-value'
import { lazyComponent } from '../page/lazy-component'
import { CheckboxField } from './CheckboxField'
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

/** Paths of the values of a form that have a type. */
type PathOf<Values extends FieldValues, Value> = FieldPathByValue<Values, Value | undefined> & string

/** A field takes the name of a value of its type, and no other name. */
interface FieldsOf<Values extends FieldValues> {
  TextField: (props: TextFieldProps<PathOf<Values, string>>) => ReactNode
  TextAreaField: (props: TextAreaFieldProps<PathOf<Values, string>>) => ReactNode
  PasswordField: (props: FieldProps<PathOf<Values, string>>) => ReactNode
  CheckboxField: (props: FieldProps<PathOf<Values, boolean>>) => ReactNode
  RadioField: (props: RadioFieldProps<PathOf<Values, string>>) => ReactNode
  SelectField: (props: SelectFieldProps<PathOf<Values, string>>) => ReactNode
  MultiSelectField: (props: MultiSelectFieldProps<PathOf<Values, string[]>>) => ReactNode
  FileField: (props: FileFieldProps<PathOf<Values, FileValue>>) => ReactNode
  FieldRows: <Name extends FieldArrayPath<Values>>(props: FieldRowsProps<Name, FieldArray<Values, Name>>) => ReactNode
  KeyValuesField: (props: KeyValuesFieldProps<PathOf<Values, KeyValue[]>>) => ReactNode
}

// Few forms take files, and reading dropped ones is not small.
const FileField = lazyComponent(() => import('./FileField'), 'FileField')
const KeyValuesField = lazyComponent(() => import('./KeyValuesField'), 'KeyValuesField')

const fields = {
  TextField,
  TextAreaField,
  PasswordField,
  CheckboxField,
  RadioField,
  SelectField,
  MultiSelectField,
  FileField,
  FieldRows,
  KeyValuesField,
}

/**
 * The fields of a form whose names are paths of its values: `const { TextField } = fieldsOf<z.input<typeof schema>>()`.
 * A name that the form does not have, or whose value has another type, does not compile.
 */
export const fieldsOf = <Values extends FieldValues>(): FieldsOf<Values> => fields
