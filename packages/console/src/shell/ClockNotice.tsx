import { Alert, AlertActionCloseButton } from '@patternfly/react-core'
import { useState } from 'react'
import { formatDurationLong } from '../lib/dates'
import { isFarOff, useClockOffset } from '../lib/server-clock'

const minuteMs = 60_000

/** Says once that the clock of this computer is far off. */
export function ClockNotice() {
  const offsetMs = useClockOffset()
  const [isDismissed, setIsDismissed] = useState(false)
  if (isDismissed || !isFarOff(offsetMs)) return null
  const difference = formatDurationLong(Math.round(Math.abs(offsetMs) / minuteMs) * minuteMs)
  return (
    <Alert
      component="p"
      variant="warning"
      title={`The clock of this computer is ${difference} ${offsetMs > 0 ? 'slow' : 'fast'}`}
      actionClose={<AlertActionCloseButton title="Dismiss" onClose={() => setIsDismissed(true)} />}
    >
      Times in the console follow the clock of the cluster.
    </Alert>
  )
}
