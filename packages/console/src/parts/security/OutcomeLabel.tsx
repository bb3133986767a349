import { Icon, type IconComponentProps } from '@patternfly/react-core'
import CheckIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-check-circle-fill-icon'
import ErrorIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-error-fill-icon'
import WarningIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-warning-fill-icon'
import type { RuleOutcome } from '@slipway/model/snapshots/enterprise-contract'
import type { ComponentType } from 'react'

const styles: Record<RuleOutcome, { Shape: ComponentType; color: NonNullable<IconComponentProps['status']> }> = {
  Failed: { Shape: ErrorIcon, color: 'danger' },
  Warning: { Shape: WarningIcon, color: 'warning' },
  Success: { Shape: CheckIcon, color: 'success' },
}

export function OutcomeLabel({ outcome }: { outcome: RuleOutcome }) {
  const { Shape, color } = styles[outcome]
  return (
    <span className="slipway-status">
      <Icon isInline status={color}>
        <Shape />
      </Icon>
      {outcome}
    </span>
  )
}
