import '@patternfly/react-styles/css/components/Page/page.css'
import type { ComponentProps } from 'react'

interface PageSectionProps extends ComponentProps<'section'> {
  type?: 'section' | 'breadcrumb'
}

/**
 * A section of every page. Its element is that of PatternFly's `PageSection`, whose own component would bring sizes of
 * windows and their tokens into the first load.
 */
export const PageSection = ({ type = 'section', className = '', ...props }: PageSectionProps) => (
  <section {...props} className={`pf-v6-c-page__main-${type} ${className}`} />
)
