import { Button, Content } from '@patternfly/react-core'
import type { ComponentPlace, SurveyProgress } from '@slipway/model/vulnerabilities/survey'
import { plural } from '../../parts/graph/node-text'
import type { Survey } from './use-survey'

/** The most components without a scan that are named. */
const mostNamed = 5

/** How many of the components the page is made of, and a button to read on. */
export function SurveyStatus({ survey: { progress, isReading, readOn } }: { survey: Survey }) {
  return (
    <Content component="small">
      <span role="status">
        {isReading ? 'Reading scans. ' : ''}
        {progressText(progress)}
      </span>{' '}
      {readOn && !isReading && (
        <Button variant="link" isInline onClick={readOn}>
          Continue with other components
        </Button>
      )}
    </Content>
  )
}

const progressText = ({
  componentCount,
  namespaceCount,
  readCount,
  readNamespaceCount,
  unscanned,
}: SurveyProgress): string =>
  [
    `Looked at ${readCount} of ${plural(componentCount, 'component')} in ${readNamespaceCount} of ${plural(namespaceCount, 'namespace')}.`,
    unscanned.length > 0 && `No scan is known of ${namesOf(unscanned)}.`,
  ]
    .filter(Boolean)
    .join(' ')

function namesOf(places: readonly ComponentPlace[]): string {
  const names = places.slice(0, mostNamed).map(({ namespace, component }) => `${component} in ${namespace}`)
  const others = places.length - names.length
  return [...names, ...(others > 0 ? [`${others} more`] : [])].join(', ')
}
