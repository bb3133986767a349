import { ExpandableSection } from '@patternfly/react-core'
import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { lazyComponent, ChunkLoadAlert } from '../page/lazy-component'
import type { ResourceForm } from './resource-form'

// Loaded on demand: most forms are submitted without it, and the YAML writer is large.
const ChangePreview = lazyComponent(() => import('./ChangePreview'), 'ChangePreview', {
  Missing: ChunkLoadAlert,
})

interface ShowChangeProps<Input extends FieldValues, Output> {
  form: ResourceForm<Input, Output>
  onToggle?: (isShown: boolean) => void
}

/** What submitting the form would do, before it is submitted. */
export function ShowChange<Input extends FieldValues, Output>({ form, onToggle }: ShowChangeProps<Input, Output>) {
  const [isShown, setIsShown] = useState(false)
  const { currentWrites } = form
  if (!currentWrites) return null
  return (
    <ExpandableSection
      className="slipway-form__change"
      toggleText={isShown ? 'Hide change' : 'Show change'}
      isExpanded={isShown}
      onToggle={(_, next) => {
        setIsShown(next)
        onToggle?.(next)
      }}
    >
      {isShown && <ChangePreview currentWrites={currentWrites} />}
    </ExpandableSection>
  )
}
