import { Alert, AlertActionLink } from '@patternfly/react-core'
import { useNavigation } from 'react-router'
import { resendSilentReads } from '../api/client'
import { NoResponseText, useIsOverdue } from '../ui/status/NoResponse'

/**
 * A thin line at the top while the next page is on its way, then in words where to, and in the end that no response
 * comes. A quick navigation shows none of it: the delays are in the style sheet.
 */
export function NavigationProgress() {
  const { location } = useNavigation()
  const isOverdue = useIsOverdue(location !== undefined)
  if (!location) return null
  const place = placeOf(location.pathname)
  return (
    <>
      <div role="progressbar" aria-label="Loading page" className="slipway-progress" />
      {isOverdue ? (
        <div className="slipway-destination" data-overdue>
          <Alert
            isLiveRegion
            variant="danger"
            component="p"
            title={`Still waiting for ${place}`}
            actionLinks={<AlertActionLink onClick={resendSilentReads}>Try again</AlertActionLink>}
          >
            <NoResponseText noun={place} />
          </Alert>
        </div>
      ) : (
        <p role="status" className="slipway-destination">
          Opening {place}…
        </p>
      )}
    </>
  )
}

/** The last parts of an address, which are enough to recognize what was chosen. */
const placeOf = (pathname: string): string =>
  pathname.split('/').filter(Boolean).slice(-2).map(decodeURIComponent).join(' / ') || 'the overview'
