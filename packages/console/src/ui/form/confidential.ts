import { useEffect } from 'react'
import { type Control, type FieldValues, useFormContext } from 'react-hook-form'

const confidentialForms = new WeakSet<object>()

/** Marks the form around the caller as one that contains values which must not outlive it, such as passwords. */
export function useConfidential(isConfidential: boolean): void {
  const { control } = useFormContext()
  useEffect(() => {
    if (isConfidential) confidentialForms.add(control)
  }, [control, isConfidential])
}

/** Whether a user has been able to enter a confidential value into the form. It may belong to a field that is now hidden. */
export const isConfidential = <Input extends FieldValues, Output>(control: Control<Input, unknown, Output>): boolean =>
  confidentialForms.has(control)
