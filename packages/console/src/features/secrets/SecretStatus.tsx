import { Icon, type IconComponentProps } from '@patternfly/react-core'
import ClockIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-clock-icon'
import BrokenLinkIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-link-broken-icon'
import DisconnectedIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-disconnected-icon'
import { linkTaskOf } from '@slipway/model/secrets/secret'
import { concernsOf, expiryOf, type ObservedSecret, type SecretConcern } from '@slipway/model/secrets/secret-concerns'
import type { ComponentType } from 'react'
import { formatZonedDate } from '../../lib/dates'
import { LinkStatusLabel } from '../../parts/secrets/LinkStatusLabel'
import './secrets.css'

interface SecretStatusProps {
  row: ObservedSecret
  /** Why the user cannot link it; `false` if they can. */
  linkDisabledReason: string | false
  /** Called to show why the secret could not be linked. */
  onViewError: () => void
}

/** The status of the task that links a secret, and what else needs attention. */
export function SecretStatus({ row, linkDisabledReason, onViewError }: SecretStatusProps) {
  const state = linkTaskOf(row.secret)?.state
  const marks = concernsOf(row).filter((concern) => concern !== 'Link failed')
  if (!state && marks.length === 0) return <span className="slipway-secret-status__none">-</span>
  return (
    <span className="slipway-secret-status">
      {state && <LinkStatusLabel secret={row.secret} disabledReason={linkDisabledReason} onViewError={onViewError} />}
      {marks.map((concern) => (
        <Mark key={concern} concern={concern} row={row} />
      ))}
    </span>
  )
}

interface Appearance {
  Shape: ComponentType
  color?: IconComponentProps['status']
  explain: (row: ObservedSecret) => string
}

/** A new reason does not compile until it has an appearance. */
const appearances: Record<Exclude<SecretConcern, 'Link failed'>, Appearance> = {
  Expired: {
    Shape: ClockIcon,
    color: 'danger',
    explain: ({ secret }) =>
      `Its credentials expired on ${formatZonedDate(expiryOf(secret) ?? '')}. Edit the secret to replace them.`,
  },
  'Component deleted': {
    Shape: BrokenLinkIcon,
    color: 'warning',
    explain: ({ links }) => {
      const deleted = links?.components.filter(({ isDeleted }) => isDeleted).map(({ name }) => name) ?? []
      return `Linked to service accounts of deleted components: ${deleted.join(', ')}.`
    },
  },
  Unused: {
    Shape: DisconnectedIcon,
    explain: () => 'Not linked to any component or service account. Only a pipeline that names it could use it.',
  },
}

function Mark({ concern, row }: { concern: keyof typeof appearances; row: ObservedSecret }) {
  const { Shape, color, explain } = appearances[concern]
  return (
    <span className="slipway-status" title={explain(row)}>
      <Icon isInline status={color}>
        <Shape />
      </Icon>
      {concern}
    </span>
  )
}
