import { Button } from '@patternfly/react-core'
import ExternalLinkIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-external-link-icon'
import type { ReactNode } from 'react'

/** A link to somebody else's page, in a new tab. */
export const ExternalLink = ({ href, children }: { href: string; children: ReactNode }) => (
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
