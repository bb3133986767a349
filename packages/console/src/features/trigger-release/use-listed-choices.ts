import { useEffect, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { type Choices, findNamed, type TriggerInput } from './trigger-release-form'

/**
 * Applies changes of the lists, which other users cause, to what is selected: a plan that is not in its list is an error
 * at its field, and a snapshot that is not in its list is cleared.
 * @param choices the same arrays as long as nothing has changed
 * @returns name of the snapshot that was cleared last
 */
export function useListedChoices(
  { getValues, setValue, trigger, resetField, watch }: UseFormReturn<TriggerInput, unknown, TriggerInput>,
  { plans, snapshots }: Choices,
): string | undefined {
  const [cleared, setCleared] = useState<string>()
  const selected = watch('snapshot')
  const isUnlisted = selected !== '' && snapshots !== undefined && !findNamed(snapshots, selected)
  if (isUnlisted && cleared !== selected) setCleared(selected)
  useEffect(() => {
    const plan = getValues('releasePlan')
    // Touched, since an error is shown only then, and the plan may come from the address of the page.
    if (plan) setValue('releasePlan', plan, { shouldTouch: true, shouldValidate: true })
  }, [plans, getValues, setValue])
  useEffect(() => {
    if (isUnlisted) resetField('snapshot', { defaultValue: '' })
    else if (getValues('snapshot')) void trigger('snapshot')
  }, [isUnlisted, snapshots, getValues, resetField, trigger])
  return cleared
}
