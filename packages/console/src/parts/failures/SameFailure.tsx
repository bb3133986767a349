import { Button, Content, Label, Spinner } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { useState } from 'react'
import { Link } from 'react-router'
import { failureText } from '../../api/messages'
import { paths } from '../../paths'
import { RelativeTime } from '../../ui/text/RelativeTime'
import { passedText, progressText, seenText } from './pattern-text'
import { useFailurePatterns } from './use-failure-patterns'

interface SameFailureProps {
  run: PipelineRun
  namespace: string
}

/** Says on request in which other runs the failure of a run was seen: that takes the logs of up to 50 runs. */
export function SameFailure(props: SameFailureProps) {
  const [isRequested, setIsRequested] = useState(false)
  if (isRequested) return <OtherRuns {...props} />
  return (
    <Button variant="link" isInline onClick={() => setIsRequested(true)}>
      Look for this failure in other runs
    </Button>
  )
}

function OtherRuns({ run, namespace }: SameFailureProps) {
  const { source, progress } = useFailurePatterns(namespace)
  if (source.error) return <>The other runs could not be read: {failureText(source.error)}</>
  if (!source.rows) {
    return (
      <span role="status">
        <Spinner size="md" aria-hidden /> {progressText(progress)}
      </span>
    )
  }
  const pattern = source.rows.find(({ failures }) => failures.some((failure) => nameOf(failure.run) === nameOf(run)))
  const passed = pattern && passedText(pattern.retries)
  return (
    <span role="status">
      {pattern ? (
        <>
          <Label isCompact color="orange">
            {seenText(pattern)}
          </Label>{' '}
          {pattern.class}, first <RelativeTime time={pattern.firstSeen} />
          {passed && `, passes on retry ${passed}`}.{' '}
          <Link to={`${paths.failurePatterns({ namespace })}?${new URLSearchParams({ failure: pattern.id })}`}>
            View pattern
          </Link>
        </>
      ) : (
        'This run is not among those that were read. '
      )}
      <Content component="small">{progressText(progress)}</Content>
    </span>
  )
}
