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

/** A component, and what its builds say of it. */
export interface BuiltComponent {
  component: Component
  state: BuildPipelineState
  /** Push builds that are known, the newest start first; `undefined` until any are, or it is known that there are none. */
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
 * Components with their builds, which the cluster has in one list; of those that it has not built lately an archive is
 * asked, for all together. A component about which nothing has changed is the same object as before.
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
  const isWhole = !isIncomplete(data)
  const buildsOf = (component: Component) => data?.builds.get(nameOf(component)) ?? []
  const open = (components.rows ?? []).filter((component) => {
    const builds = buildsOf(component)
    return isWhole && bot !== undefined && (builds.length === 0 || isUndecided(component, { builds, bot }))
  })
  const answers = useQueries({
    queries: open.map((component) => {
      const limit = isUndecided(component, { builds: buildsOf(component), bot }) ? buildsForState : 1
      return latestBuilds.kept(namespace, application, { component: nameOf(component), limit })
    }),
  })
  const answerOf = new Map(open.map((component, at) => [component, answers[at]]))
  const built = (component: Component): BuiltComponent => {
    const answer = answerOf.get(component)
    const own = buildsOf(component)
    const isKnown = isWhole && bot !== undefined && !answer?.isPending
    const builds = answer?.data ? mergeOnce(own, answer.data, newestStart, buildsForState) : own
    const state = buildPipelineState(component, { builds: isKnown ? builds : undefined, bot })
    return {
      component,
      // Builds that could not be read may be those of a pull request that was merged.
      state: state === 'pending' && answer?.error ? 'loading' : state,
      builds: isKnown || builds.length > 0 ? builds : undefined,
      error: (data ? undefined : error) ?? answer?.error ?? null,
    }
  }
  return useJoined([components], ([own]) => own?.map(built), builtComponentRows)
}

/** A constant, so that runs are grouped when they arrive and not when they are rendered. */
const withBuilds = (list: KubeList<PipelineRun>) => ({ ...list, builds: pushBuildsByComponent(list.items) })
