import { useEffect, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { type Choices, findNamed, type TriggerInput } from './trigger-release-form'

/**
 * Clears the selected snapshot if it is not in its list any more, since other users delete snapshots.
 * @returns name of the snapshot that was cleared last
 */
export function useClearedSnapshot(
  { resetField, watch }: UseFormReturn<TriggerInput, unknown, TriggerInput>,
  snapshots: Choices['snapshots'],
): string | undefined {
  const [cleared, setCleared] = useState<string>()
  const selected = watch('snapshot')
  const isUnlisted = selected !== '' && snapshots !== undefined && !findNamed(snapshots, selected)
  if (isUnlisted && cleared !== selected) setCleared(selected)
  useEffect(() => {
    if (isUnlisted) resetField('snapshot', { defaultValue: '' })
  }, [isUnlisted, resetField])
  return cleared
}
