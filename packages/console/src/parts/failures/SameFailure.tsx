import { Button, Content, Label, Spinner } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { patternDays } from '@slipway/model/failures/failure-patterns'
import { startOf } from '@slipway/model/runs/tekton'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { failureText } from '../../api/messages'
import { viewsServiceQuery } from '../../api/views/service-probe'
import { paths } from '../../paths'
import { useNow } from '../../ui/text/now'
import { RelativeTime } from '../../ui/text/RelativeTime'
import { passedText, progressText, seenText } from './pattern-text'
import { type FailurePatterns, useFailurePatterns, useRecentFailurePatterns } from './use-failure-patterns'

interface SameFailureProps {
  run: PipelineRun
  namespace: string
}

/**
 * Says in which other runs the failure of a run was seen. Where the service for list views finds failed runs without
 * reading all of them, and for a recent run, it does so once the browser has nothing else to do; otherwise on request.
 */
export function SameFailure(props: SameFailureProps) {
  const [isRequested, setIsRequested] = useState(false)
  const { data: hasService } = useQuery(viewsServiceQuery)
  const nowMs = useNow(dayMs)
  const isRecent = Date.parse(startOf(props.run)) > nowMs - patternDays * dayMs
  const canWait = hasService === true && isRecent && !isRequested
  const isIdle = useIdleMoment(canWait)
  const button = (
    <Button variant="link" isInline onClick={() => setIsRequested(true)}>
      Look for this failure in other runs
    </Button>
  )
  if (isRequested) return <InAllRuns {...props} />
  if (!canWait) return button
  return isIdle && <InRecentRuns {...props} otherwise={button} />
}

const dayMs = 24 * 3_600_000

/** Whether the browser has had nothing to do since this was first wanted, for a page that is visible. */
function useIdleMoment(isWanted: boolean): boolean {
  const [isIdle, setIsIdle] = useState(false)
  useEffect(() => {
    if (!isWanted) return undefined
    // Safari has none.
    if (!('requestIdleCallback' in globalThis)) {
      const timer = setTimeout(() => setIsIdle(true))
      return () => clearTimeout(timer)
    }
    const callback = requestIdleCallback(() => setIsIdle(true))
    return () => cancelIdleCallback(callback)
  }, [isWanted])
  return isIdle
}

const InAllRuns = (props: SameFailureProps) => (
  <OtherRuns
    {...props}
    patterns={useFailurePatterns(props.namespace)}
    otherwise="This run is not among those that were read. "
  />
)

/** @param otherwise if this run is not among them */
const InRecentRuns = ({ otherwise, ...props }: SameFailureProps & { otherwise: ReactNode }) => (
  <OtherRuns {...props} patterns={useRecentFailurePatterns(props.namespace)} otherwise={otherwise} />
)

interface OtherRunsProps extends SameFailureProps {
  patterns: FailurePatterns
  /** In place of the pattern, if this run is not among those that were read. */
  otherwise: ReactNode
}

function OtherRuns({ run, namespace, patterns: { source, progress }, otherwise }: OtherRunsProps) {
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
        otherwise
      )}
      <Content component="small">{progressText(progress)}</Content>
    </span>
  )
}
