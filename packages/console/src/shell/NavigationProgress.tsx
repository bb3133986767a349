import { useNavigation } from 'react-router'
import { resendSilentReads } from '../api/client'
import { basePath } from '../lib/base-path'
import { FrameButton } from '../ui/actions/FrameButton'
import { FrameAlert } from '../ui/status/FrameAlert'
import { NoResponseText, useIsOverdue } from '../ui/status/NoResponse'

/**
 * Shows a thin line at the top while the next page loads, later also its name, and finally that the server does not
 * respond. A quick navigation shows none of these: the delays are in the style sheet.
 */
export function NavigationProgress() {
  const { location } = useNavigation()
  const isOverdue = useIsOverdue(location !== undefined)
  if (!location) return null
  const destination = destinationOf(location.pathname.slice(basePath.length))
  return (
    <>
      <div role="progressbar" aria-label="Loading page" className="slipway-progress" />
      {isOverdue ? (
        <div className="slipway-destination" data-overdue>
          <FrameAlert
            variant="warning"
            title={`Still waiting for ${destination}`}
            action={
              <FrameButton variant="link" className="pf-m-inline" onClick={resendSilentReads}>
                Try again
              </FrameButton>
            }
          >
            <NoResponseText noun={destination} />
          </FrameAlert>
        </div>
      ) : (
        <p role="status" className="slipway-destination">
          Opening {destination}…
        </p>
      )}
    </>
  )
}

/** What users call the parts of a path that are written otherwise. */
const words: Readonly<Record<string, string>> = {
  integrationtests: 'integration tests',
  'latest-commits': 'latest commits',
  'linked-secrets': 'linked secrets',
  pipelineruns: 'pipeline runs',
  releasemonitor: 'release monitor',
  'release-plan': 'release plans',
  'release-plan-admission': 'release plan admissions',
  taskruns: 'task runs',
}

/** The last parts of a path, which are enough to recognize the page. */
const destinationOf = (pathname: string): string => {
  const parts = pathname.split('/').filter(Boolean).slice(-2).map(decodeURIComponent)
  return parts.map((part) => (Object.hasOwn(words, part) ? words[part] : part)).join(' / ') || 'the overview'
}
