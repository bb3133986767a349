import { useEffect, useLayoutEffect, useRef } from 'react'
import { PageSection } from '../ui/page/PageSection'
import { Skeleton } from '../ui/status/Skeleton'
import { NoResponse, useIsOverdue } from '../ui/status/NoResponse'

/** The layout of the page in the document that the gateway sent, if it was prepared for this page (docs/adr/0073). */
const preparedPage = typeof document === 'undefined' ? null : document.querySelector('.slipway-first-page')

/** Placeholder in the frame until the first page has loaded: the prepared layout of the page, or one of any page. */
export function FirstLoad() {
  const isOverdue = useIsOverdue(true)
  // The styles that came with the prepared page weigh more than those of the sheets, which are there with the page.
  useEffect(() => () => document.getElementById('slipway-critical')?.remove(), [])
  if (preparedPage && !isOverdue) return <PreparedPage page={preparedPage} />
  return (
    <>
      {/* Not the switcher itself: its menu would close when the page replaces this placeholder. */}
      <PageSection type="breadcrumb" className="slipway-page__location">
        <Skeleton width="8rem" height="1.75rem" className="slipway-first-load" />
      </PageSection>
      <PageSection aria-busy="true" className="pf-m-fill slipway-page__header">
        {isOverdue ? (
          <NoResponse noun="this page" headingLevel="h1" />
        ) : (
          <Skeleton width="20rem" height="2rem" screenreaderText="Loading page" className="slipway-first-load" />
        )}
      </PageSection>
    </>
  )
}

function PreparedPage({ page }: { page: Element }) {
  const place = useRef<HTMLDivElement>(null)
  // Before the browser paints again.
  useLayoutEffect(() => place.current?.append(page), [page])
  return (
    <>
      <div ref={place} className="slipway-first-page" />
      <span className="pf-v6-screen-reader">Loading page</span>
    </>
  )
}
