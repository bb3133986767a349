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
import { type Component, componentType } from '@slipway/model/builds/component'
import { labels } from '@slipway/model/labels'
import { type PipelineRun, pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { mergeOnce } from '../../api/archive/merged-history'
import { isIncomplete } from '../../api/queries'
import { type RowKind, type Source, useJoined } from '../../api/source'
import { type RowsQuery, useWholeView } from '../../api/views/use-view'
import type { ApplicationParams } from '../../paths'
import { latestBuilds } from '../../resources/latest-builds'
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
export interface ListedComponent extends KnownBuilds {
  component: Component
}

interface KnownBuilds {
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
  live: BuildsQuery,
): Source<BuiltComponent> {
  const own = components.rows ?? []
  const built = useBuildsOf(namespace, own, useListedBuilds([{ application, live }]), 1)
  return useJoined([components], ([all]) => all?.map(built), builtComponentRows)
}

/** The same with no more builds than the rows need, of all components of an application. */
export function useNeededBuilds(
  { namespace, application }: ApplicationParams,
  components: Source<Component>,
): Source<BuiltComponent> {
  const own = components.rows ?? []
  const namespaces = [namespace]
  const where = { application: [application] }
  const newest = useNewestBuilds({ namespaces, where, firstOf: 'pushBuild' })
  const bot = useBot()
  const open = own.filter((component) => {
    const { builds } = buildsIn(component, newest)
    return builds.length > 0 && isUndecided(component, { builds, bot })
  })
  // The newest build of each user says more, since the newest of all may be of the bot that configures pipelines.
  const ofUsers = useNewestBuilds({
    namespaces: open.length > 0 ? namespaces : none,
    where: { ...where, component: open.map(nameOf) },
    firstOf: 'pushBuildBy',
  })
  const liveOf = (component: Component) => {
    if (!open.includes(component)) return buildsIn(component, newest)
    const builds = buildsIn(component, ofUsers)
    return builds.builds.length > 0 ? builds : { ...buildsIn(component, newest), isComplete: false }
  }
  const built = useBuildsOf(namespace, own, liveOf, 1)
  return useJoined([components], ([all]) => all?.map(built), builtComponentRows)
}

/**
 * The components of all applications of a namespace, with their newest builds in the cluster. `useLatestBuild` adds what
 * the archive has, for the rows that are rendered.
 */
export function useListedComponents(namespace: string): Source<ListedComponent> {
  const namespaces = [namespace]
  const live = useNewestBuilds({ namespaces, firstOf: 'pushBuild' })
  const listed = useWholeView<Component>(
    { kind: componentType.plural, namespaces, where: { isBeingDeleted: ['no'] } },
    'components',
  )
  return useJoined(
    [listed],
    ([all]) => all?.map((component) => ({ component, ...buildsIn(component, live) })),
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
  return components.map(useBuildsOf(namespace, components, useListedBuilds(lists), buildsForState))
}

type BuildsQuery = ReturnType<typeof latestBuilds.list>

/** The function that returns the builds of a component, from lists of the applications that the components belong to. */
function useListedBuilds(
  lists: readonly { application: string; live: BuildsQuery }[],
): (component: Component) => KnownBuilds {
  const results = useQueries({ queries: lists.map(({ live }) => ({ ...live, select: withBuilds })) })
  const listOf = new Map(lists.map(({ application }, at) => [application, results[at]]))
  return (component) => buildsIn(component, liveBuildsOf(listOf.get(specOf(component).application ?? '')))
}

/** Name of the account that acts for the platform; `undefined` until it is known. */
function useBot(): string | undefined {
  const info = useQuery(publicInfo.get())
  return info.isPending ? undefined : botName(info.data)
}

/**
 * Returns the function that adds its builds to each of the components.
 * @param liveOf the builds in the cluster
 * @param leastBuilds look for builds in an archive if the cluster has fewer of a component
 */
function useBuildsOf(
  namespace: string,
  components: readonly Component[],
  liveOf: (component: Component) => KnownBuilds,
  leastBuilds: 1 | typeof buildsForState,
): (component: Component) => BuiltComponent {
  const bot = useBot()
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

/** The newest push build of each component, or of each and each user, without all the others. */
function useNewestBuilds(
  query: Pick<RowsQuery, 'namespaces' | 'where'> & { firstOf: 'pushBuild' | 'pushBuildBy' },
): LiveBuilds {
  const view = useWholeView<PipelineRun>({ kind: pipelineRunType.plural, ...query }, 'pipeline runs')
  const { rows, more, error, retryReason } = view
  const builds = useMemo(() => rows && pushBuildsByComponent(rows), [rows])
  return { builds, isComplete: builds !== undefined && !more, error: error ?? retryReason ?? null }
}

/** Push builds in the cluster. */
interface LiveBuilds {
  /** By component, newest start first; `undefined` until some are known. */
  builds: ReadonlyMap<string, readonly PipelineRun[]> | undefined
  isComplete: boolean
  error: Error | null
}

/** Those of a list of runs. */
const liveBuildsOf = ({ data, error }: BuildsResult = nothingRead): LiveBuilds => ({
  builds: data?.builds,
  isComplete: !isIncomplete(data),
  error,
})

interface BuildsResult {
  data: ReturnType<typeof withBuilds> | undefined
  error: Error | null
}

/** The builds of a component. Its name may once have belonged to a component of another application. */
function buildsIn(component: Component, { builds, isComplete, error }: LiveBuilds): KnownBuilds {
  const named = builds?.get(nameOf(component)) ?? none
  const { application } = specOf(component)
  const isOwn = ({ metadata }: PipelineRun) => metadata.labels?.[labels.application] === application
  return {
    // The same array for the same list, so that a row is the same object as before.
    builds: named.every(isOwn) ? named : named.filter(isOwn),
    isComplete,
    error: builds ? null : error,
  }
}

const nothingRead: BuildsResult = { data: undefined, error: null }
const none: never[] = []
