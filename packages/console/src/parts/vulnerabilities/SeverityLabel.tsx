import { Icon } from '@patternfly/react-core'
import CriticalIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-severity-critical-fill-icon'
import ImportantIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-severity-important-fill-icon'
import MinorIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-severity-minor-fill-icon'
import ModerateIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-severity-moderate-fill-icon'
import UndefinedIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-severity-undefined-fill-icon'
import type { Severity } from '@slipway/model/runs/task-results'
import type { ComponentType } from 'react'

/** Each with a shape of its own. */
const styles: Record<Severity, { Shape: ComponentType<{ color?: string }>; token: string }> = {
  Critical: { Shape: CriticalIcon, token: 'critical' },
  High: { Shape: ImportantIcon, token: 'important' },
  Medium: { Shape: ModerateIcon, token: 'moderate' },
  Low: { Shape: MinorIcon, token: 'minor' },
  Unknown: { Shape: UndefinedIcon, token: 'undefined' },
}

export function SeverityLabel({ severity }: { severity: Severity }) {
  const { Shape, token } = styles[severity]
  return (
    <span className="slipway-status">
      <Icon isInline>
        <Shape color={`var(--pf-t--global--icon--color--severity--${token}--default)`} />
      </Icon>
      {severity}
    </span>
  )
}
