import { Alert } from '@patternfly/react-core'
import { nameOf, uidOf } from '@slipway/kube/object'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import {
  botName,
  buildPipelineState,
  pullRequestFlowOf,
  pushBuildsByComponent,
} from '@slipway/model/builds/build-pipeline-state'
import { type Component, componentsOf } from '@slipway/model/builds/component'
import { useQuery } from '@tanstack/react-query'
import type { ApplicationParams } from '../../paths'
import { publicInfo } from '../../resources/public-info'
import { ComponentLink } from '../../parts/links'
import { ExternalLink } from '../../ui/text/ExternalLink'
import '../../ui/inline-list.css'

interface PipelineProposalsProps {
  at: ApplicationParams
  /** All components of the namespace. */
  components: readonly Component[]
  /** `undefined` until all of the application are known: any of them may show that a pull request was merged. */
  runs: readonly PipelineRun[] | undefined
}

const mostNamed = 5

/** The pull requests that have to be merged before components are built, as after an import. */
export function PipelineProposals({ at, components, runs }: PipelineProposalsProps) {
  const { data, isPending } = useQuery(publicInfo.get())
  const bot = isPending ? undefined : botName(data)
  const builds = runs && pushBuildsByComponent(runs)
  const stateOf = (component: Component) =>
    buildPipelineState(component, { builds: builds && (builds.get(nameOf(component)) ?? []), bot })
  const own = componentsOf(components, at.application)
  const requested = own.filter((component) => stateOf(component) === 'configureRequested')
  const pending = own.filter((component) => stateOf(component) === 'pending')
  if (requested.length + pending.length === 0) return null
  return (
    <Alert
      isInline
      isLiveRegion
      variant="info"
      component="p"
      title={
        pending.length > 0
          ? 'Merge the pull request with the build pipeline to start the first build'
          : 'The platform is sending a pull request with the build pipeline'
      }
    >
      <ul className="slipway-inline-list">
        {(pending.length > 0 ? pending : requested).slice(0, mostNamed).map((component) => {
          const mergeUrl = pullRequestFlowOf(component)?.mergeUrl
          return (
            <li key={uidOf(component)}>
              <ComponentLink at={at} component={nameOf(component)} />
              {mergeUrl && (
                <>
                  : <ExternalLink href={mergeUrl}>Pull request</ExternalLink>
                </>
              )}
            </li>
          )
        })}
        {pending.length > mostNamed && <li>{pending.length - mostNamed} more</li>}
      </ul>
    </Alert>
  )
}
