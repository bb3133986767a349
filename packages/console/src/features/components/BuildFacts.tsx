import { Button, Label, type LabelProps, Skeleton, Tooltip } from '@patternfly/react-core'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import {
  type BuildPipelineState,
  buildPipelineLabels,
  pullRequestFlowOf,
} from '@slipway/model/supply-chain/build-pipeline-state'
import { commitShaOf } from '@slipway/model/supply-chain/commit'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { type BuildLabel, buildLabel, buildTime, type RunStatusWord } from '@slipway/model/runs/run-status'
import { paths } from '../../paths'
import { ButtonLink } from '../../ui/actions/ButtonLink'
import { CommitLink } from '../../ui/links'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { overlayContainer } from '../../ui/page/overlay-container'
import { RelativeTime } from '../../ui/text/RelativeTime'
import { displayStatus } from '../../ui/status/display-status'
import { StatusLabel } from '../../ui/status/StatusLabel'
import type { BuiltComponent } from './use-builds'
import './components.css'

/** Of the latest push build; `undefined` until it is known. */
export function buildStatusOf({ builds, error }: BuiltComponent): RunStatusWord | undefined {
  const [latest] = builds ?? []
  if (latest) return displayStatus(latest)
  if (error) return 'Unknown'
  return builds && 'PipelineNotStarted'
}

export const buildLabelOf = (row: BuiltComponent): BuildLabel | undefined => {
  const status = buildStatusOf(row)
  return status && buildLabel(status)
}

const placeOf = ({ component }: BuiltComponent) => ({
  namespace: namespaceOf(component) ?? '',
  application: component.spec.application ?? '',
})

/** How the latest push build went, or goes. */
export function BuildStatus({ row }: { row: BuiltComponent }) {
  const status = buildStatusOf(row)
  if (!status)
    return <Skeleton width="6rem" screenreaderText={`Loading the latest build of ${nameOf(row.component)}`} />
  return !row.builds?.length && row.error ? 'Failed to load builds' : <StatusLabel status={status} />
}

/** Commit and time of the latest push build, and the way to its logs. */
export function BuildFacts({ row }: { row: BuiltComponent }) {
  const status = buildStatusOf(row)
  const [latest] = row.builds ?? []
  if (!status) return <Skeleton width="8rem" />
  return (
    <span className="slipway-facts-line">
      {latest && (
        <>
          <BuildCommit run={latest} row={row} />
          <RelativeTime time={buildTime(latest, status)} />
        </>
      )}
      <BuildLogsLink row={row} />
    </span>
  )
}

export const LatestBuild = ({ row }: { row: BuiltComponent }) => (
  <span className="slipway-facts-line">
    <BuildStatus row={row} />
    <BuildFacts row={row} />
  </span>
)

function BuildCommit({ run, row }: { run: PipelineRun; row: BuiltComponent }) {
  const sha = commitShaOf(run)
  return sha ? <CommitLink at={placeOf(row)} sha={sha} /> : null
}

/** Always there; of a component without a build it says why it leads nowhere. */
function BuildLogsLink({ row }: { row: BuiltComponent }) {
  const [latest] = row.builds ?? []
  const looks = {
    variant: 'link',
    isInline: true,
    'aria-label': `View build logs of ${nameOf(row.component)}`,
  } as const
  if (latest) {
    return (
      <ButtonLink {...looks} to={paths.pipelineRunLogs({ ...placeOf(row), pipelineRun: nameOf(latest) })}>
        View build logs
      </ButtonLink>
    )
  }
  return (
    <Tooltip
      content={row.error ? 'Its builds could not be read' : 'It has not been built yet'}
      appendTo={overlayContainer}
    >
      <Button {...looks} isAriaDisabled>
        View build logs
      </Button>
    </Tooltip>
  )
}

const colors: Record<BuildPipelineState, Pick<LabelProps, 'status' | 'color' | 'variant'>> = {
  sample: {},
  loading: {},
  disabled: { variant: 'outline' },
  configureRequested: { color: 'blue' },
  unconfigureRequested: { color: 'blue' },
  pending: { status: 'warning' },
  ready: {},
  error: { status: 'danger' },
}

/** Where the build pipeline comes from, and the pull request that waits to be merged. */
export function BuildPipeline({ row: { component, state, error } }: { row: BuiltComponent }) {
  const label = buildPipelineLabels[state]
  if (!label) {
    if (state === 'sample') return '-'
    // Without its builds nobody knows.
    return error ? 'Unknown' : <Skeleton width="6rem" screenreaderText="Loading the build pipeline" />
  }
  const mergeUrl = state === 'pending' ? pullRequestFlowOf(component)?.mergeUrl : undefined
  return (
    <span className="slipway-facts-line">
      <Label isCompact {...colors[state]}>
        {label}
      </Label>
      {mergeUrl && <ExternalLink href={mergeUrl}>Pull request</ExternalLink>}
    </span>
  )
}
