import { Button, Skeleton, Tooltip } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import { commitShaOf } from '@slipway/model/git/git-facts'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { type BuildLabel, buildLabel, buildTime, type RunStatusWord } from '@slipway/model/runs/run-status'
import { paths } from '../../paths'
import { ButtonLink } from '../../ui/actions/ButtonLink'
import type { ComponentBuilds } from '../../parts/components/use-builds'
import { CommitLink, pathIn } from '../../parts/links'
import { useOverlayContainer } from '../../ui/page/overlay-container'
import { RelativeTime } from '../../ui/text/RelativeTime'
import { RunStatus } from '../../parts/pipeline-runs/RunStatus'
import { displayStatus } from '../../parts/status/display-status'
import { StatusLabel } from '../../parts/status/StatusLabel'
import { placeOf } from './component-columns'
import '../../ui/facts-line.css'

/** Status of the latest push build; `undefined` until it is known. */
export function buildStatusOf({ builds, error }: ComponentBuilds): RunStatusWord | undefined {
  const [latest] = builds ?? []
  if (latest) return displayStatus(latest)
  if (error) return 'Unknown'
  return builds && 'PipelineNotStarted'
}

export const buildLabelOf = (row: ComponentBuilds): BuildLabel | undefined => {
  const status = buildStatusOf(row)
  return status && buildLabel(status)
}

/** In the order of a filter. */
export const buildLabels: readonly BuildLabel[] = ['completed', 'failed', 'running', 'not started', 'unknown']

/** Status of the latest push build. */
export function BuildStatus({ row }: { row: ComponentBuilds }) {
  const status = buildStatusOf(row)
  if (!status)
    return <Skeleton width="6rem" screenreaderText={`Loading the latest build of ${nameOf(row.component)}`} />
  const [latest] = row.builds ?? []
  if (latest) return <RunStatus run={latest} />
  return row.error ? 'Failed to load builds' : <StatusLabel status={status} />
}

/** Commit and time of the latest push build, and a link to its logs. */
export function BuildFacts({ row }: { row: ComponentBuilds }) {
  const status = buildStatusOf(row)
  const [latest] = row.builds ?? []
  if (!status) return <Skeleton width="8rem" />
  const time = latest && buildTime(latest, status)
  return (
    <span className="slipway-facts-line">
      {latest && (
        <>
          <BuildCommit run={latest} row={row} />
          {time && <RelativeTime time={time} />}
        </>
      )}
      <BuildLogsLink row={row} />
    </span>
  )
}

export const LatestBuild = ({ row }: { row: ComponentBuilds }) => (
  <span className="slipway-facts-line">
    <BuildStatus row={row} />
    <BuildFacts row={row} />
  </span>
)

function BuildCommit({ run, row }: { run: PipelineRun; row: ComponentBuilds }) {
  const sha = commitShaOf(run)
  return sha ? <CommitLink at={placeOf(row)} sha={sha} /> : null
}

/** Always shown; without a build it is disabled and says why. */
function BuildLogsLink({ row }: { row: ComponentBuilds }) {
  const overlayContainer = useOverlayContainer()
  const [latest] = row.builds ?? []
  const buttonProps = {
    variant: 'link',
    isInline: true,
    'aria-label': `View build logs of ${nameOf(row.component)}`,
  } as const
  const to = latest && pathIn(placeOf(row), (at) => paths.pipelineRunLogs({ ...at, pipelineRun: nameOf(latest) }))
  if (to) {
    return (
      <ButtonLink {...buttonProps} to={to}>
        View build logs
      </ButtonLink>
    )
  }
  return (
    <Tooltip
      content={
        latest
          ? 'It belongs to no application'
          : row.error
            ? 'Its builds could not be read'
            : 'It has not been built yet'
      }
      appendTo={overlayContainer}
    >
      <Button {...buttonProps} isAriaDisabled>
        View build logs
      </Button>
    </Tooltip>
  )
}
