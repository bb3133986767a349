import { Button } from '@patternfly/react-core'
import ExternalLinkIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-external-link-icon'
import type { ReactNode } from 'react'

interface ExternalLinkProps {
  /** The content is plain text without one. */
  href: string | undefined
  children: ReactNode
}

/** A link to a page of another site, in a new tab. */
export function ExternalLink({ href, children }: ExternalLinkProps) {
  if (!href) return children
  return (
    <Button
      variant="link"
      isInline
      component="a"
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      icon={<ExternalLinkIcon />}
      iconPosition="end"
    >
      {children}
      <span className="pf-v6-screen-reader"> (opens in a new tab)</span>
    </Button>
  )
}
