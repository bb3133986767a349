import type { RefObject } from 'react'
import { useBeforeUnload, useBlocker } from 'react-router'
import { DiscardDialog } from './DiscardDialog'

/** Present while there is unsaved input: asks before the page is left, whether inside the console or for another site. */
export function LeaveGuard({ isSettled }: { isSettled: RefObject<boolean> }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => !isSettled.current && currentLocation.pathname !== nextLocation.pathname,
  )
  useBeforeUnload((event) => {
    if (!isSettled.current) event.preventDefault()
  })
  if (blocker.state !== 'blocked') return null
  return <DiscardDialog leaveLabel="Leave anyway" onStay={blocker.reset} onLeave={blocker.proceed} />
}
