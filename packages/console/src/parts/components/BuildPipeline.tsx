import { Label, type LabelProps, Skeleton } from '@patternfly/react-core'
import {
  type BuildPipelineState,
  buildPipelineLabels,
  pullRequestFlowOf,
} from '@slipway/model/builds/build-pipeline-state'
import { ExternalLink } from '../../ui/text/ExternalLink'
import type { BuiltComponent } from './use-builds'
import '../../ui/facts-line.css'

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

/** Where the build pipeline comes from, and the pull request waiting to be merged. */
export function BuildPipeline({ row: { component, state, error } }: { row: BuiltComponent }) {
  const label = buildPipelineLabels[state]
  if (!label) {
    if (state === 'sample') return '-'
    // The state cannot be derived without the builds.
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
