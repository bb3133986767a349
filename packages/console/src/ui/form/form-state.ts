import { useCallback, useRef, useSyncExternalStore } from 'react'
import type { FieldValues, FormState, UseFormReturn } from 'react-hook-form'

/**
 * A value derived from the state of a form. Renders again only when the value changes: `form.formState` would render the
 * whole form again for every letter that the user types.
 * @param select reads `isDirty`, `isValid`, `errors`, `touchedFields` or the values, and returns a primitive
 */
export function useFormStateValue<Input extends FieldValues, Output, Value extends string | boolean | undefined>(
  { control, subscribe }: Pick<UseFormReturn<Input, unknown, Output>, 'control' | 'subscribe'>,
  select: (state: FormState<Input>) => Value,
): Value {
  const state = useRef<FormState<Input>>(control._formState)
  const observe = useCallback(
    (onChange: () => void) => {
      state.current = control._formState
      return subscribe({
        formState: { values: true, isDirty: true, isValid: true, errors: true, touchedFields: true },
        callback: (next) => {
          state.current = { ...control._formState, ...next }
          onChange()
        },
      })
    },
    [control, subscribe],
  )
  return useSyncExternalStore(observe, () => select(state.current))
}
