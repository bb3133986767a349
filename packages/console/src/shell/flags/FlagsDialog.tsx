import { Button, Spinner } from '@patternfly/react-core'
import { type FlagName, flags, visibleFlags, withFlag, withoutFlags } from '@slipway/model/platform/flag'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { conditionsQuery } from '../../api/flags/flag-conditions'
import { ownChange, resetFlags, setFlag, useFlags } from '../../api/flags/flags'
import { Dialog } from '../../ui/dialogs/Dialog'
import { FlagList } from './FlagList'

/** Experimental features of this browser, for anybody to try. */
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
      description="Try what is not finished, in this browser only."
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
      {!conditions && <Spinner size="lg" aria-label="Looking for what this platform offers" />}
    </Dialog>
  )
}

/** Those that need nothing of the platform do not wait for what it says. */
const unguarded = visibleFlags(flags, {}).filter(({ guard }) => !guard)

/** Changes the query of this very page, without an entry in the history, and not as one that says something new. */
function useSetQuery() {
  const navigate = useNavigate()
  const { search, hash } = useLocation()
  // All changes each time: the page may still be on its way to the address of an earlier one, which this one replaces.
  const changes = useRef<((search: string) => string)[]>([])
  return (change: (search: string) => string) => {
    changes.current.push(change)
    const changed = changes.current.reduce((query, each) => each(query), search)
    void navigate({ search: changed, hash }, { replace: true, preventScrollReset: true, state: ownChange })
  }
}
