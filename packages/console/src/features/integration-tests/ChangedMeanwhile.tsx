import { Alert, AlertActionLink } from '@patternfly/react-core'
import { type ResourceForm, useForeignVersion } from '../../ui/form/resource-form'

interface ChangedMeanwhileProps {
  /** What the dialog edits. */
  noun: 'contexts' | 'parameters'
  form: Pick<ResourceForm, 'isSubmitting' | 'isSaved'>
  opened: readonly object[] | undefined
  current: readonly object[] | undefined
  /** Discards the input. */
  onReload: () => void
}

/** Says that another client has changed what a dialog edits since it was opened. The input stays. */
export function ChangedMeanwhile({ noun, form, opened = [], current, onReload }: ChangedMeanwhileProps) {
  const foreign = useForeignVersion(form, current) ?? []
  if (JSON.stringify(opened) === JSON.stringify(foreign)) return null
  return (
    <Alert
      isInline
      isLiveRegion
      variant="warning"
      component="p"
      title={`The ${noun} have changed since you opened this dialog`}
      actionLinks={<AlertActionLink onClick={onReload}>{`Start again with the current ${noun}`}</AlertActionLink>}
    >
      Saving replaces them by your input. “Show change” compares both.
    </Alert>
  )
}
