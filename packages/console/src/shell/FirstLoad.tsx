import { PageSection, Skeleton } from '@patternfly/react-core'
import { NoResponse, useIsOverdue } from '../ui/status/NoResponse'

/** Within the frame, before the first page has been loaded. */
export const FirstLoad = () => (
  <PageSection hasBodyWrapper={false} isFilled aria-busy="true">
    <Wait />
  </PageSection>
)

function Wait() {
  if (useIsOverdue(true)) return <NoResponse noun="this page" headingLevel="h1" />
  return <Skeleton width="20rem" screenreaderText="Loading page" className="slipway-first-load" />
}
