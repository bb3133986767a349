import type { KubeList } from '@slipway/kube/object'
import { nameOf, namespaceOf, specOf, uidOf } from '@slipway/kube/object'
import {
  botName,
  type BuildPipelineState,
  buildPipelineState,
  buildsForState,
  isUndecided,
  pushBuildsByComponent,
} from '@slipway/model/builds/build-pipeline-state'
import type { Component } from '@slipway/model/builds/component'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { useQueries, useQuery } from '@tanstack/react-query'
import { mergeOnce } from '../../api/archive/merged-history'
import { isIncomplete } from '../../api/queries'
import { type RowKind, type Source, useJoined, useList } from '../../api/source'
import type { ApplicationParams } from '../../paths'
import { components } from '../../resources/components'
import { latestBuilds } from '../../resources/latest-builds'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { publicInfo } from '../../resources/public-info'
import { newestStart } from '../../api/archive/origin'

/** A component with its builds. */
export interface ComponentBuilds {
  component: Component
  /** Known push builds, newest start first; `undefined` until one is known, or it is known that there are none. */
  builds: readonly PipelineRun[] | undefined
  /** Why some or all builds could not be read. */
  error: Error | null
}

/** A component with its builds and the state derived from them. */
export interface BuiltComponent extends ComponentBuilds {
  state: BuildPipelineState
}

/** A component with those of its builds that are in the cluster. */
export interface ListedComponent {
  component: Component
  /** Push builds in the cluster, newest start first. */
  builds: readonly PipelineRun[]
  /** Whether these are all that the cluster has. */
  isComplete: boolean
  /** Why the builds in the cluster could not be read. */
  error: Error | null
}

export const builtComponentRows: RowKind<Pick<ComponentBuilds, 'component'>> = {
  idOf: ({ component }) => uidOf(component),
  nameOf: ({ component }) => nameOf(component),
  isBeingDeleted: ({ component }) => component.metadata.deletionTimestamp !== undefined,
}

/**
 * Components with their builds, which the cluster returns in one list. Builds of components that it has not built lately
 * are requested from an archive, all together. A row is the same object as before if nothing about it has changed.
 * @param live builds of the application, or of the only component
 */
export function useBuilds(
  { namespace, application }: ApplicationParams,
  components: Source<Component>,
  live: LiveBuilds,
): Source<BuiltComponent> {
  const built = useBuildsOf(namespace, components.rows ?? [], [{ application, live }], 1)
  return useJoined([components], ([own]) => own?.map(built), builtComponentRows)
}

/**
 * The components of all applications of a namespace, with their builds in the cluster: no request but the one for the
 * namespace's runs. `useLatestBuild` adds what the archive has, for the rows that are rendered.
 */
export function useListedComponents(namespace: string): Source<ListedComponent> {
  const live = useQuery({ ...pipelineRuns.history({ namespace }).live, select: withBuilds })
  return useJoined(
    [useList(components.listed(namespace), 'components')],
    ([all]) =>
      all
        ?.filter(({ metadata }) => !metadata.deletionTimestamp)
        .map((component) => ({ component, ...buildsIn(component, live) })),
    builtComponentRows,
  )
}

/** The builds that are known of a component: those in the cluster, or else the newest one of an archive. */
export function useLatestBuild({ component, builds, isComplete, error }: ListedComponent): ComponentBuilds {
  const { application } = specOf(component)
  const isOlder = isComplete && builds.length === 0
  const archived = useQuery({
    ...latestBuilds.archived(namespaceOf(component) ?? '', {
      application: application ?? '',
      component: nameOf(component),
      limit: 1,
    }),
    enabled: isOlder && application !== undefined,
  })
  if (!isOlder) return { component, builds: isComplete || builds.length > 0 ? builds : undefined, error }
  return { component, builds: archived.isLoading ? undefined : (archived.data ?? builds), error: archived.error }
}

/** Components of any applications, with as many of their past builds as an estimate needs. */
export function usePastBuilds(namespace: string, components: readonly Component[]): BuiltComponent[] {
  const applications = [...new Set(components.flatMap((component) => specOf(component).application ?? []))]
  const lists = applications.map((application) => ({ application, live: latestBuilds.list(namespace, application) }))
  return components.map(useBuildsOf(namespace, components, lists, buildsForState))
}

type LiveBuilds = ReturnType<typeof latestBuilds.list>

/**
 * Returns the function that adds its builds to each of the components.
 * @param lists the builds in the cluster, of each application that the components belong to
 * @param leastBuilds look for builds in an archive if the cluster has fewer of a component
 */
function useBuildsOf(
  namespace: string,
  components: readonly Component[],
  lists: readonly { application: string; live: LiveBuilds }[],
  leastBuilds: 1 | typeof buildsForState,
): (component: Component) => BuiltComponent {
  const info = useQuery(publicInfo.get())
  const bot = info.isPending ? undefined : botName(info.data)
  const results = useQueries({ queries: lists.map(({ live }) => ({ ...live, select: withBuilds })) })
  const listOf = new Map(lists.map(({ application }, at) => [application, results[at]]))
  const liveOf = (component: Component) => buildsIn(component, listOf.get(specOf(component).application ?? ''))
  const open = components.filter((component) => {
    const { builds, isComplete } = liveOf(component)
    return isComplete && bot !== undefined && (builds.length < leastBuilds || isUndecided(component, { builds, bot }))
  })
  const answers = useQueries({
    queries: open.map((component) => {
      const { builds } = liveOf(component)
      const limit = isUndecided(component, { builds, bot }) ? buildsForState : leastBuilds
      return latestBuilds.archived(namespace, {
        application: specOf(component).application ?? '',
        component: nameOf(component),
        limit,
      })
    }),
  })
  const answerOf = new Map(open.map((component, at) => [component, answers[at]]))
  return (component) => {
    const answer = answerOf.get(component)
    const { builds: own, isComplete, error } = liveOf(component)
    const isKnown = isComplete && bot !== undefined && !answer?.isPending
    const builds = answer?.data ? mergeOnce(own, answer.data, newestStart, buildsForState) : own
    const state = buildPipelineState(component, { builds: isKnown ? builds : undefined, bot })
    return {
      component,
      // The builds that could not be read may include one of the merged pull request.
      state: state === 'pending' && answer?.error ? 'loading' : state,
      builds: isKnown || builds.length > 0 ? builds : undefined,
      error: error ?? answer?.error ?? null,
    }
  }
}

/** A constant, so that runs are grouped when they arrive and not on every render. */
const withBuilds = (list: KubeList<PipelineRun>) => ({ ...list, builds: pushBuildsByComponent(list.items) })

interface BuildsResult {
  data: ReturnType<typeof withBuilds> | undefined
  error: Error | null
}

/** The builds of a component in a list of runs. Its name may once have belonged to a component of another application. */
function buildsIn(
  component: Component,
  { data, error }: BuildsResult = nothingRead,
): Omit<ListedComponent, 'component'> {
  const named = data?.builds.get(nameOf(component)) ?? none
  const { application } = specOf(component)
  const isOwn = ({ metadata }: PipelineRun) => metadata.labels?.[labels.application] === application
  return {
    // The same array for the same list, so that a row is the same object as before.
    builds: named.every(isOwn) ? named : named.filter(isOwn),
    isComplete: !isIncomplete(data),
    error: data ? null : error,
  }
}

const nothingRead: BuildsResult = { data: undefined, error: null }
const none: PipelineRun[] = []
