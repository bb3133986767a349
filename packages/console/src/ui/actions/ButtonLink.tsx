import { Button, type ButtonProps } from '@patternfly/react-core'
import type { Ref } from 'react'
import { Link } from 'react-router'

/** A link to another page of the console that looks like a button, and can be opened in a new tab. */
export const ButtonLink = (
  props: Omit<ButtonProps, 'ref' | 'component' | 'href'> & {
    to: string
    /** The link itself, although its type is that of a button. */
    ref?: Ref<HTMLButtonElement>
  },
) => <Button {...props} component={Link} />
