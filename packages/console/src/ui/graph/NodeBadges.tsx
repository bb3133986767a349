import { Icon } from '@patternfly/react-core'
import ErrorIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-error-fill-icon'
import WarningIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-warning-fill-icon'
import type { GraphNode } from '@slipway/model/graphs/graph'
import { plural, severities, vulnerabilityText } from './node-text'
import './node-badges.css'

/** Counts of what the tests and scans of a node found; nothing if they found nothing. */
export function NodeBadges({ node }: { node: GraphNode }) {
  const { testFailCount = 0, testWarnCount = 0, vulnerabilities } = node
  const found = vulnerabilities ? severities.filter((severity) => vulnerabilities[severity] > 0) : []
  if (!testFailCount && !testWarnCount && found.length === 0) return null
  return (
    <span className="slipway-badges">
      {testFailCount > 0 && (
        <span className="slipway-badges__one" title={plural(testFailCount, 'test failure')}>
          <Icon isInline status="danger">
            <ErrorIcon />
          </Icon>
          {testFailCount}
          <span className="pf-v6-screen-reader"> {testFailCount === 1 ? 'test failure' : 'test failures'}</span>
        </span>
      )}
      {testWarnCount > 0 && (
        <span className="slipway-badges__one" title={plural(testWarnCount, 'test warning')}>
          <Icon isInline status="warning">
            <WarningIcon />
          </Icon>
          {testWarnCount}
          <span className="pf-v6-screen-reader"> {testWarnCount === 1 ? 'test warning' : 'test warnings'}</span>
        </span>
      )}
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
