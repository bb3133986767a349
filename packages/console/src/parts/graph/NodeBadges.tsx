import { Icon } from '@patternfly/react-core'
import ErrorIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-error-fill-icon'
import WarningIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-warning-fill-icon'
import type { GraphNode } from '@slipway/model/graphs/graph'
import type { ComponentType } from 'react'
import { plural, severities, vulnerabilityText } from './node-text'
import './node-badges.css'

/** Counts of what the tests and scans of a node found; nothing if they found nothing. */
export function NodeBadges({ node }: { node: GraphNode }) {
  const { testFailCount = 0, testWarnCount = 0, vulnerabilities } = node
  const found = vulnerabilities ? severities.filter((severity) => vulnerabilities[severity] > 0) : []
  if (!testFailCount && !testWarnCount && found.length === 0) return null
  return (
    <span className="slipway-badges">
      {testFailCount > 0 && <Count status="danger" Shape={ErrorIcon} count={testFailCount} noun="test failure" />}
      {testWarnCount > 0 && <Count status="warning" Shape={WarningIcon} count={testWarnCount} noun="test warning" />}
      {vulnerabilities && found.length > 0 && (
        <span className="slipway-badges__one" title={vulnerabilityText(vulnerabilities)}>
          <span className="pf-v6-screen-reader">{vulnerabilityText(vulnerabilities)}</span>
          {found.map((severity) => (
            <span key={severity} aria-hidden="true" className="slipway-badges__severity" data-severity={severity}>
              {severity === 'unknown' ? '?' : severity.charAt(0).toUpperCase()}&nbsp;{vulnerabilities[severity]}
            </span>
          ))}
        </span>
      )}
    </span>
  )
}

interface CountProps {
  status: 'danger' | 'warning'
  Shape: ComponentType
  count: number
  noun: string
}

const Count = ({ status, Shape, count, noun }: CountProps) => (
  <span className="slipway-badges__one" title={plural(count, noun)}>
    <Icon isInline status={status}>
      <Shape />
    </Icon>
    {count}
    <span className="pf-v6-screen-reader"> {count === 1 ? noun : `${noun}s`}</span>
  </span>
)
