import { PageSection, Skeleton } from '@patternfly/react-core'
import { NoResponse, useIsOverdue } from '../ui/status/NoResponse'

/** Placeholder in the frame until the first page has loaded, with the layout of a page. */
export const FirstLoad = () => (
  <>
    {/* Not the switcher itself: its menu would close when the page replaces this placeholder. */}
    <PageSection type="breadcrumb" hasBodyWrapper={false} className="slipway-page__location">
      <Skeleton width="8rem" height="1.75rem" className="slipway-first-load" />
    </PageSection>
    <PageSection hasBodyWrapper={false} isFilled aria-busy="true" className="slipway-page__header">
      <Wait />
    </PageSection>
  </>
)

function Wait() {
  if (useIsOverdue(true)) return <NoResponse noun="this page" headingLevel="h1" />
  return <Skeleton width="20rem" height="2rem" screenreaderText="Loading page" className="slipway-first-load" />
}
