import { Alert, AlertActionLink } from '@patternfly/react-core'

interface ChangedMeanwhileProps {
  /** What the dialog edits. */
  noun: 'contexts' | 'parameters'
  opened: readonly object[] | undefined
  current: readonly object[] | undefined
  /** Discards the input. */
  onReload: () => void
}

/** Says that another client has changed what a dialog edits since it was opened. The input stays. */
export const ChangedMeanwhile = ({ noun, opened = [], current = [], onReload }: ChangedMeanwhileProps) =>
  JSON.stringify(opened) !== JSON.stringify(current) && (
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
