import type { KubeList } from '@slipway/kube/object'
import { nameOf, uidOf } from '@slipway/kube/object'
import {
  botName,
  type BuildPipelineState,
  buildPipelineState,
  buildsForState,
  isUndecided,
  pushBuildsByComponent,
} from '@slipway/model/supply-chain/build-pipeline-state'
import type { Component } from '@slipway/model/supply-chain/component'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { useQueries, useQuery } from '@tanstack/react-query'
import { mergeOnce } from '../../api/archive/merged-history'
import { isIncomplete } from '../../api/queries'
import { type RowKind, type Source, useJoined } from '../../api/source'
import type { ApplicationParams } from '../../paths'
import { latestBuilds } from '../../resources/latest-builds'
import { publicInfo } from '../../resources/public-info'
import { newestStart } from '../../resources/run-order'

/** A component with its builds and the state derived from them. */
export interface BuiltComponent {
  component: Component
  state: BuildPipelineState
  /** Known push builds, newest start first; `undefined` until one is known, or it is known that there are none. */
  builds: readonly PipelineRun[] | undefined
  /** Why some or all builds could not be read. */
  error: Error | null
}

export const builtComponentRows: RowKind<BuiltComponent> = {
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
  live: ReturnType<typeof latestBuilds.list>,
): Source<BuiltComponent> {
  const info = useQuery(publicInfo.get())
  const bot = info.isPending ? undefined : botName(info.data)
  const { data, error } = useQuery({ ...live, select: withBuilds })
  const isComplete = !isIncomplete(data)
  const buildsOf = (component: Component) => data?.builds.get(nameOf(component)) ?? []
  const open = (components.rows ?? []).filter((component) => {
    const builds = buildsOf(component)
    return isComplete && bot !== undefined && (builds.length === 0 || isUndecided(component, { builds, bot }))
  })
  const answers = useQueries({
    queries: open.map((component) => {
      const limit = isUndecided(component, { builds: buildsOf(component), bot }) ? buildsForState : 1
      return latestBuilds.archived(namespace, application, { component: nameOf(component), limit })
    }),
  })
  const answerOf = new Map(open.map((component, at) => [component, answers[at]]))
  const built = (component: Component): BuiltComponent => {
    const answer = answerOf.get(component)
    const own = buildsOf(component)
    const isKnown = isComplete && bot !== undefined && !answer?.isPending
    const builds = answer?.data ? mergeOnce(own, answer.data, newestStart, buildsForState) : own
    const state = buildPipelineState(component, { builds: isKnown ? builds : undefined, bot })
    return {
      component,
      // The builds that could not be read may include one of the merged pull request.
      state: state === 'pending' && answer?.error ? 'loading' : state,
      builds: isKnown || builds.length > 0 ? builds : undefined,
      error: (data ? undefined : error) ?? answer?.error ?? null,
    }
  }
  return useJoined([components], ([own]) => own?.map(built), builtComponentRows)
}

/** A constant, so that runs are grouped when they arrive and not on every render. */
const withBuilds = (list: KubeList<PipelineRun>) => ({ ...list, builds: pushBuildsByComponent(list.items) })
