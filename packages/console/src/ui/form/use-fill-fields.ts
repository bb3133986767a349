import { type FieldPath, type FieldValues, useFormContext } from 'react-hook-form'
import { serverErrorPath } from './use-field'

/** Enters several values at once, as if the user had typed them. */
export function useFillFields<Values extends FieldValues>(): (
  values: Partial<Record<FieldPath<Values>, string>>,
) => void {
  const { clearErrors, setValue, trigger } = useFormContext<Values>()
  return (values) => {
    const names = Object.keys(values) as FieldPath<Values>[]
    for (const name of names) {
      // Only fields that contain text can be named.
      setValue(name, (values[name] ?? '') as never, { shouldDirty: true, shouldTouch: true })
      clearErrors(serverErrorPath(name) as 'root')
    }
    void trigger(names)
  }
}
