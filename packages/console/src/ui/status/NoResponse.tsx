import { resendSilentReads } from '../../api/client'
import { useOutage } from '../../api/live/outage'
import { FrameButton } from '../actions/FrameButton'
import { MessagePanel } from './MessagePanel'
import { useLasts } from './use-lasts'

/** A first response that takes longer than this is overdue. */
const overdueMs = 10_000

/** Whether the wait for a first response has lasted so long that the user needs to know. */
export const useIsOverdue = (isWaiting: boolean): boolean => useLasts(isWaiting, overdueMs)

/** Shown in place of content whose first response is overdue, until the response arrives. */
export const NoResponse = ({ noun, headingLevel = 'h2' }: { noun: string; headingLevel?: 'h1' | 'h2' }) => (
  <div role="alert">
    <MessagePanel
      variant="sm"
      headingLevel={headingLevel}
      titleText={`Still waiting for ${noun}`}
      status="warning"
      action={
        <FrameButton variant="secondary" onClick={resendSilentReads}>
          Try again
        </FrameButton>
      }
    >
      <NoResponseText noun={noun} />
    </MessagePanel>
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
