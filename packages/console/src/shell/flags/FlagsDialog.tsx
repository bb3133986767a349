import { Button, Spinner } from '@patternfly/react-core'
import { type FlagName, flags, visibleFlags, withFlag, withoutFlags } from '@slipway/model/platform/flag'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { conditionsQuery } from '../../api/flags/flag-conditions'
import { ownChange, resetFlags, setFlag, useFlags } from '../../api/flags/flags'
import { Dialog } from '../../ui/dialogs/Dialog'
import { FlagList } from './FlagList'

/** Lets every user turn on experimental features in this browser. */
export function FlagsDialog({ onClose }: { onClose: () => void }) {
  const states = useFlags()
  const { data: conditions } = useQuery(conditionsQuery)
  const setQuery = useSetQuery()
  const set = (name: FlagName, isOn: boolean) => {
    setFlag(name, isOn)
    setQuery((search) => withFlag(search, name, isOn))
  }
  const reset = () => {
    resetFlags()
    setQuery(withoutFlags)
  }
  return (
    <Dialog
      title="Feature Flags"
      description="Try unfinished features. Changes apply to this browser only."
      variant="medium"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="link" onClick={reset}>
            Reset to Defaults
          </Button>
        </>
      }
    >
      <FlagList flags={conditions ? visibleFlags(flags, conditions) : unguarded} states={states} onToggle={set} />
      {!conditions && <Spinner size="lg" aria-label="Checking what this platform supports" />}
    </Dialog>
  )
}

/** Flags that need nothing from the platform are listed before its capabilities are known. */
const unguarded = visibleFlags(flags, {}).filter(({ guard }) => !guard)

/** Changes the query of the current page without a history entry, marked so that flags are not read from it again. */
function useSetQuery() {
  const navigate = useNavigate()
  const { search, hash } = useLocation()
  // Applies all changes each time: the navigation of an earlier change, which this one replaces, may still be pending.
  const changes = useRef<((search: string) => string)[]>([])
  return (change: (search: string) => string) => {
    changes.current.push(change)
    const changed = changes.current.reduce((query, each) => each(query), search)
    void navigate({ search: changed, hash }, { replace: true, preventScrollReset: true, state: ownChange })
  }
}
