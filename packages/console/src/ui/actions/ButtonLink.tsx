import { Button, type ButtonProps } from '@patternfly/react-core'
import type { Ref } from 'react'
import { Link } from 'react-router'

/** A link that looks like a button: it goes to another page of ours, and opens in a new tab when asked to. */
export const ButtonLink = (
  props: Omit<ButtonProps, 'ref' | 'component' | 'href'> & {
    to: string
    /** The link itself, which a button's type stands for. */
    ref?: Ref<HTMLButtonElement>
  },
) => <Button {...props} component={Link} />
