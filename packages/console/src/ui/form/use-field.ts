import { useEffect, useId } from 'react'
import { type FieldError, get, useController, useFormContext } from 'react-hook-form'
import { afterPress, observePresses } from './after-press'
import { helpId } from './Field'
import { useFormStateValue } from './form-state'

/** Errors from the server are kept apart from those of the schema, which would clear them when the field is left. */
export const serverErrorPath = (name: string): `root.${string}` => `root.${name}`

/**
 * The error of one field, from the schema or else the server, and a function that clears the latter. An error of the
 * schema is shown once the user has been in the field, so that the fields of an added row do not start with errors.
 */
export function useFieldError(name: string, { isList = false } = {}) {
  const form = useFormContext()
  const error = useFormStateValue(form, ({ errors, touchedFields }) => {
    const ownError: FieldError | undefined = get(errors, name)
    const serverError: FieldError | undefined = get(errors, serverErrorPath(name))
    // The error of a list as a whole is at its root, next to those of its entries.
    return (
      ownError?.root?.message ??
      (isList || get(touchedFields, name) ? ownError?.message : undefined) ??
      serverError?.message
    )
  })
  return {
    error,
    clearServerError: () => {
      if (form.getFieldState(serverErrorPath(name)).error) form.clearErrors(serverErrorPath(name))
    },
  }
}

/**
 * One value of the form around it: the value, its error, and what a control needs to be part of the form.
 * @param name path of the value; `fieldsOf` checks it, and that the value has this type
 */
export function useField<Value>(name: string) {
  const id = useId()
  const { setValue, trigger } = useFormContext()
  const { field } = useController({ name })
  const { error, clearServerError } = useFieldError(name)
  const value: Value = field.value
  useEffect(observePresses, [])
  // Validates the field, and its error moves what is below it.
  const onBlur = () => afterPress(field.onBlur)
  return {
    id,
    value,
    error,
    onChange: (next: Value) => {
      clearServerError()
      setValue(name, next, { shouldDirty: true, shouldTouch: true })
      // The change may also clear or cause errors in other rows of the same list.
      void trigger([name.replace(/\..*/, ''), name])
    },
    onBlur,
    ref: field.ref,
    inputProps: {
      id,
      name,
      ref: field.ref,
      onBlur,
      'aria-describedby': helpId(id),
      'aria-invalid': error !== undefined,
    },
  }
}
