import { Title } from '@patternfly/react-core'
import { type ReactNode, useId } from 'react'
import { FailureBoundary } from '../failures/FailureBoundary'
import './Details.css'

/** A part of a page under a heading that names it. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="slipway-section">
      <Title headingLevel="h2" id={id} className="slipway-section-title">
        {title}
      </Title>
      <FailureBoundary noun={title}>{children}</FailureBoundary>
    </section>
  )
}
