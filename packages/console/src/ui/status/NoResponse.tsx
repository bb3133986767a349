import { Button, EmptyState, EmptyStateActions, EmptyStateBody, EmptyStateFooter } from '@patternfly/react-core'
import { useEffect, useState } from 'react'
import { resendSilentReads } from '../../api/client'
import { useOutage } from '../../api/live/outage'

/** A first response that takes longer than this is overdue. */
const overdueMs = 10_000

/** Whether the wait for a first response has lasted so long that the user needs to know. */
export function useIsOverdue(isWaiting: boolean): boolean {
  const [isOverdue, setIsOverdue] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setIsOverdue(true), overdueMs)
    return () => {
      clearTimeout(timer)
      setIsOverdue(false)
    }
  }, [isWaiting])
  return isWaiting && isOverdue
}

/** Shown in place of content whose first response is overdue, until the response arrives. */
export const NoResponse = ({ noun, headingLevel = 'h2' }: { noun: string; headingLevel?: 'h1' | 'h2' }) => (
  <div role="alert">
    <EmptyState variant="sm" headingLevel={headingLevel} titleText={`Still waiting for ${noun}`} status="danger">
      <EmptyStateBody>
        <NoResponseText noun={noun} />
      </EmptyStateBody>
      <EmptyStateFooter>
        <EmptyStateActions>
          <Button variant="secondary" onClick={resendSilentReads}>
            Try again
          </Button>
        </EmptyStateActions>
      </EmptyStateFooter>
    </EmptyState>
  </div>
)

export function NoResponseText({ noun }: { noun: string }) {
  const outage = useOutage()
  return (
    <>
      No response from the server for 10 s. {outage?.reason} The console keeps trying, and shows {noun} as soon as the
      response arrives.
    </>
  )
}
