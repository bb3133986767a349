import { ProgressStep, type ProgressStepProps, ProgressStepper } from '@patternfly/react-core'
import BanIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-ban-icon'
import SkippedIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-arrow-circle-right-icon'
import SyncIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-sync-icon'
import UnknownIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-unknown-icon'
import type { ReleaseStage, StageName, StageState } from '@slipway/model/releases/release-stages'
import { useId } from 'react'
import type { ReleaseParams } from '../../paths'
import { Duration } from '../text/Duration'
import { ReleaseRunLink } from './ReleaseRunLink'
import './release-stages.css'

const titles: Record<StageName, string> = {
  validation: 'Validation',
  tenantCollectors: 'Tenant collectors',
  managedCollectors: 'Managed collectors',
  tenant: 'Tenant pipeline',
  managed: 'Managed pipeline',
  final: 'Final pipeline',
}

const styles: Record<StageState, Pick<ProgressStepProps, 'variant' | 'icon'>> = {
  Waiting: { variant: 'pending' },
  Running: { variant: 'info', icon: <SyncIcon /> },
  Succeeded: { variant: 'success' },
  Failed: { variant: 'danger' },
  'Not needed': { variant: 'pending', icon: <SkippedIcon /> },
  'Not reached': { variant: 'pending', icon: <BanIcon /> },
  Unknown: { variant: 'pending', icon: <UnknownIcon /> },
}

interface StageStepsProps {
  stages: readonly ReleaseStage[]
  holding: ReleaseStage | undefined
  at: ReleaseParams
}

/** The stages of a release in a row, or in a column on a narrow screen: state, duration and run. */
export function StageSteps({ stages, holding, at }: StageStepsProps) {
  const id = useId()
  return (
    <ProgressStepper aria-label="Stages" className="slipway-release-stages">
      {stages.map((stage) => (
        <ProgressStep
          key={stage.name}
          id={`${id}-${stage.name}`}
          titleId={`${id}-${stage.name}-title`}
          {...styles[stage.state]}
          isCurrent={stage === holding}
          description={<StageFacts stage={stage} at={at} />}
        >
          {titles[stage.name]}
        </ProgressStep>
      ))}
    </ProgressStepper>
  )
}

function StageFacts({ stage, at: { application, release } }: { stage: ReleaseStage; at: ReleaseParams }) {
  const { state, startTime, completionTime, run, failedAttempts } = stage
  const hasDuration = startTime !== undefined && (state === 'Running' || completionTime !== undefined)
  return (
    <>
      <span className="slipway-release-stages__state">
        {state}
        {hasDuration && (
          <>
            {state === 'Running' ? ' for ' : ' after '}
            <Duration from={startTime} to={completionTime} />
          </>
        )}
      </span>
      {failedAttempts.length > 0 && <span>Attempt {failedAttempts.length + 1}</span>}
      {run && (
        <span>
          <ReleaseRunLink run={run} application={application} release={release} />
        </span>
      )}
    </>
  )
}
