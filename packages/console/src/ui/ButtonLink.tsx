import { Button, type ButtonProps } from '@patternfly/react-core'
import { Link } from 'react-router'

/** A link that looks like a button: it goes to another page of ours, and opens in a new tab when asked to. */
export const ButtonLink = (props: Omit<ButtonProps, 'ref' | 'component' | 'href'> & { to: string }) => (
  <Button {...props} component={Link} />
)
