import { Alert, type AlertProps, Content } from '@patternfly/react-core'
import type { Release } from '@slipway/model/releases/release'
import { explainRelease, type ReleaseExplanation } from '@slipway/model/releases/release-explanation'
import type { ReleaseDefinitions, ReleaseStage } from '@slipway/model/releases/release-stages'
import type { ReactNode } from 'react'
import { originOf } from '../../api/archive/origin'
import type { ReleaseParams } from '../../paths'
import { ProminentAction } from '../../ui/actions/ProminentAction'
import { DateAndAge } from '../../ui/text/RelativeTime'
import { rerunReleaseAction } from './release-actions'
import { type KnownRun, StageRun } from './StageRun'
import { StageSteps } from './StageSteps'
import { useReleaseDefinitions } from './use-release-definitions'

interface ReleaseStagesProps {
  release: Release
  at: ReleaseParams
}

/**
 * Which stage is holding a release up, since when, why, and what comes next: one sentence, the stages in a row, and the
 * evidence. It fetches what it needs besides the release, each part only if the user may read it.
 */
export function ReleaseStages({ release, at }: ReleaseStagesProps) {
  const definitions = useReleaseDefinitions(release)
  const { holding, stages, state } = explainRelease(release, definitions)
  if (originOf(release) && (state === 'running' || state === 'waiting')) return <Vanished stages={stages} at={at} />
  const explain = (known: KnownRun) => <Explained release={release} definitions={definitions} known={known} at={at} />
  const run = holding?.run
  if (!run) return explain({ evidence: {}, isUnreadable: true })
  return (
    <StageRun run={run} application={at.application}>
      {explain}
    </StageRun>
  )
}

interface ExplainedProps {
  release: Release
  definitions: ReleaseDefinitions
  known: KnownRun
  at: ReleaseParams
}

function Explained({ release, definitions, known, at }: ExplainedProps) {
  const explanation = explainRelease(release, definitions, known.evidence)
  const { stages, holding, state } = explanation
  const isServiceQuoted = known.isUnreadable && state === 'failed' && holding?.message
  return (
    <>
      <Headline
        explanation={explanation}
        actions={
          state === 'failed' && <ProminentAction size="sm" action={rerunReleaseAction} at={at} subject={release} />
        }
      />
      <StageSteps stages={stages} holding={holding} at={at} />
      {isServiceQuoted && <Content component="p">The release service reports: {holding.message}</Content>}
      {known.details}
    </>
  )
}

const variants: Record<ReleaseExplanation['state'], AlertProps['variant']> = {
  succeeded: 'success',
  failed: 'danger',
  running: 'info',
  waiting: 'info',
}

const sinceWords: Record<ReleaseExplanation['state'], string> = {
  succeeded: 'Ended on',
  failed: 'Failed on',
  running: 'Since',
  waiting: 'Since',
}

interface HeadlineProps {
  explanation: ReleaseExplanation
  /** What can be done about it. */
  actions: ReactNode
}

const Headline = ({ explanation: { state, headline, since, next }, actions }: HeadlineProps) => (
  <Alert isInline isPlain component="p" variant={variants[state]} title={headline} actionLinks={actions}>
    {since && (
      <>
        {sinceWords[state]} <DateAndAge time={since} />.{' '}
      </>
    )}
    {next}
  </Alert>
)

interface VanishedProps {
  stages: readonly ReleaseStage[]
  at: ReleaseParams
}

/** What was last known about a release that was deleted before it ended. */
const Vanished = ({ stages, at }: VanishedProps) => (
  <>
    <Alert isInline isPlain component="p" variant="info" title="The outcome of this release is unknown.">
      It was deleted from the cluster before it ended.
    </Alert>
    <StageSteps
      stages={stages.map((stage) =>
        stage.state === 'Running' || stage.state === 'Waiting' ? { ...stage, state: 'Unknown' } : stage,
      )}
      holding={undefined}
      at={at}
    />
  </>
)
