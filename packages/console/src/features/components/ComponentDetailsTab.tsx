import { Alert, Skeleton } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import { buildTrigger } from '@slipway/model/builds/build-pipeline-state'
import { type Component, relatedComponents } from '@slipway/model/builds/component'
import { nudgesByName } from '@slipway/model/builds/component-relations'
import { sourceOf } from '@slipway/model/builds/component-source'
import { versionsIn } from '@slipway/model/builds/component-versions'
import { registryOf } from '@slipway/model/builds/image-registry'
import { modeOf, type NudgeConfig, type NudgeMode, nudgesIn } from '@slipway/model/builds/nudge-config'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { failureText } from '../../api/messages'
import { objectRows, type Source, useFixed, useList } from '../../api/source'
import { type ComponentParams, paths } from '../../paths'
import { components } from '../../resources/components'
import { imageRepositories } from '../../resources/image-repositories'
import { latestBuilds } from '../../resources/latest-builds'
import { nudgeConfigs } from '../../resources/nudge-configs'
import { publicInfo } from '../../resources/public-info'
import { BuildPipeline } from '../../parts/components/BuildPipeline'
import { NudgeRipple } from '../../parts/components/NudgeRipple'
import { PullRequestFailure } from '../../parts/components/PullRequestFailure'
import { RelatedComponents } from '../../parts/components/RelatedComponents'
import { RepositoryLink, RevisionLink } from '../../parts/components/SourceLinks'
import { type BuiltComponent, useBuilds } from '../../parts/components/use-builds'
import { type NudgeConfigState, useNudgeConfig } from '../../parts/components/use-nudge-config'
import { LoadFailure } from '../../ui/failures/LoadFailure'
import { showImageCommands } from '../../parts/images/actions'
import { ApplicationLink } from '../../parts/links'
import { Section } from '../../ui/page/Section'
import { Copyable } from '../../ui/text/Copyable'
import { type DetailItem, Details } from '../../ui/page/Details'
import { KeyValues } from '../../ui/text/KeyValues'
import { ObjectEvents } from '../../parts/events/ObjectEvents'
import { DateAndAge } from '../../ui/text/RelativeTime'
import { actionChecks } from '../../ui/actions/defined-action'
import { DefinedButton } from '../../ui/actions/DefinedButton'
import { defineRelationships } from '../../parts/components/actions'
import { route } from '../../ui/page/route'
import { buildStatusOf, LatestBuild } from './BuildFacts'
import '../../ui/inline-list.css'
import { explainBuilds } from './component-actions'
import { ComponentVersions } from './ComponentVersions'
import { changeVisibility, ImageRepositories } from './ImageRepositories'
import './components.css'

export const page = route(paths.component, ({ namespace, application, component }) => ({
  read: [
    latestBuilds.list(namespace, application, component),
    publicInfo.get(),
    components.listed(namespace),
    nudgeConfigs.of(namespace),
    imageRepositories.ofComponent(namespace, component),
  ],
  check: actionChecks(namespace, defineRelationships, changeVisibility),
}))

export { ComponentDetailsTab as Component }
function ComponentDetailsTab() {
  const at = page.useParams()
  const { data: component } = useSuspenseQuery(components.get(at.namespace, at.component))
  const builds = latestBuilds.list(at.namespace, at.application, at.component)
  const { rows: [row] = [] } = useBuilds(at, useFixed([component], objectRows), builds)
  const all = useList(components.listed(at.namespace))
  const state = useNudgeConfig(at.namespace)
  const nudges = nudgesByName(all.rows ?? [component], state.config)
  const nudgesAny = !state.isPending && (nudges.get(at.component) ?? []).length > 0
  return (
    <>
      {row && <BuildAlerts row={row} />}
      {row && versionsIn(component).length > 0 && (
        <Section title="Versions">
          <ComponentVersions built={row} />
        </Section>
      )}
      <Section title="Component details">
        <Details label="Component details" items={factsOf(component, all, row, state, at)} />
      </Section>
      {nudgesAny && (
        <Section title="What rebuilds after this component">
          {state.unknown && <Alert isInline isPlain variant="warning" component="p" title={state.unknown} />}
          {all.rows ? (
            <NudgeRipple at={at} start={at.component} components={all.rows} nudges={nudges} />
          ) : all.error ? (
            <LoadFailure noun="components" error={all.error} isRetrying={all.isFetching} onRetry={all.retry} />
          ) : (
            <Skeleton width="20rem" screenreaderText="Loading the components" />
          )}
        </Section>
      )}
      <ObjectEvents object={component} />
    </>
  )
}

function factsOf(
  component: Component,
  all: Source<Component>,
  row: BuiltComponent | undefined,
  state: NudgeConfigState,
  at: ComponentParams,
): DetailItem[] {
  const { metadata, spec, status } = component
  const { context } = sourceOf(component)
  const image = status?.lastPromotedImage ?? spec.containerImage
  const registry = registryOf(image ?? '')
  const related = (names: readonly string[]) => (
    <RelatedComponents
      namespace={at.namespace}
      // Most belong to the same application, so that is assumed while the others are loading.
      components={
        all.rows ? relatedComponents(names, all.rows) : names.map((name) => ({ name, application: at.application }))
      }
    />
  )
  const dependencies: DetailItem[] = [
    ...relationshipFacts(component, state, related),
    [
      'Relationships',
      <DefinedButton action={defineRelationships} at={{ ...at, components: all }} variant="link" isInline />,
    ],
  ]
  return [
    ['Component name', spec.componentName === at.component ? undefined : (spec.componentName ?? null)],
    ['Application', <ApplicationLink at={at} />],
    ['Source', <RepositoryLink component={component} />],
    ['Revision', <RevisionLink component={component} />],
    ['Context', context],
    ['Image', spec.containerImage ? <Copyable text={spec.containerImage} noun="image" /> : null],
    ['Latest image', status?.lastPromotedImage && <Copyable text={status.lastPromotedImage} noun="latest image" />],
    ['Who can pull', <ImageRepositories at={at} />],
    [
      'Registry login',
      registry && (
        <>
          <Copyable text={`podman login ${registry}`} noun="command to log in" />{' '}
          <DefinedButton action={showImageCommands} at={at} subject={image} variant="link" isInline />
        </>
      ),
    ],
    ['Latest build', row && <LatestBuild row={row} />],
    ['Build trigger', row && buildTrigger(row.state)],
    ['Build pipeline', row && <BuildPipeline row={row} />],
    ['Missing builds', <DefinedButton action={explainBuilds} at={at} subject={component} variant="link" isInline />],
    ...dependencies,
    ['Devfile', status?.devfile && <Devfile text={status.devfile} />],
    ['Created at', <DateAndAge time={metadata.creationTimestamp} />],
    ['Name', <Copyable text={at.component} noun="name" />],
    ['Labels', <KeyValues label="Labels" values={metadata.labels} />],
    ['Annotations', <KeyValues label="Annotations" values={metadata.annotations} />],
  ]
}

function relationshipFacts(
  { metadata, spec, status }: Component,
  { isPending, config, unknown }: NudgeConfigState,
  related: (names: readonly string[]) => ReactNode,
): DetailItem[] {
  if (isPending) return [['Nudges', <Skeleton width="10rem" screenreaderText="Loading the relationships" />]]
  const named: DetailItem[] = config ? factsIn(config, nameOf({ metadata }), related) : []
  const { 'build-nudges-ref': nudges = [] } = spec
  const nudgedBy = status?.['build-nudged-by'] ?? []
  if (!config && nudges.length + nudgedBy.length > 0) {
    const condition = unknown ? ', if there is no NudgeConfig' : ''
    named.push([`Nudges${condition}`, related(nudges)], [`Is nudged by${condition}`, related(nudgedBy)])
  }
  if (unknown) return [['Nudges', unknown], ...named]
  return named.length > 0 ? named : [['Nudges', 'No dependencies found']]
}

function factsIn(config: NudgeConfig, name: string, related: (names: readonly string[]) => ReactNode): DetailItem[] {
  const nudges = nudgesIn(config).filter(({ from }) => from === name)
  const nudgedBy = nudgesIn(config).filter(({ to }) => to === name)
  if (nudges.length + nudgedBy.length === 0) return []
  const inMode = (mode: NudgeMode) => nudges.filter((nudge) => modeOf(nudge) === mode).map(({ to }) => to)
  const validated = inMode('validated')
  return [
    ['Nudges', related(inMode('immediate'))],
    ['Nudges after its tests pass', validated.length > 0 ? related(validated) : undefined],
    ['Is nudged by', related(nudgedBy.map(({ from }) => from))],
  ]
}

const Devfile = ({ text }: { text: string }) => (
  <pre className="slipway-devfile" tabIndex={0} role="region" aria-label="Devfile">
    {text}
  </pre>
)

/** Alerts about whatever keeps a component from being built. */
function BuildAlerts({ row }: { row: BuiltComponent }) {
  const { component, builds, state, error } = row
  const { data: info } = useQuery(publicInfo.get())
  const isBuilt = component.status?.lastBuiltCommit || component.status?.lastPromotedImage
  const isKnown = builds !== undefined && !error && state !== 'loading'
  const hasSucceeded = builds?.some((run) => buildStatusOf({ ...row, builds: [run] }) === 'Succeeded')
  return (
    <>
      {state === 'error' && <PullRequestFailure component={component} githubAppUrl={info?.githubAppUrl} />}
      {isKnown && !isBuilt && !hasSucceeded && (
        <Alert isInline variant="danger" component="p" title="No successful build pipeline available">
          {builds.length === 0
            ? `${nameOf(component)} has not been built yet.`
            : 'None of its latest push builds has succeeded.'}
        </Alert>
      )}
      {error && (
        <Alert isInline variant="warning" component="p" title="Error while fetching pipeline runs">
          {failureText(error)}
        </Alert>
      )}
    </>
  )
}
