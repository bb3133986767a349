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
import { useMemo, useState } from 'react'
import { mergeRuns } from '../../api/merged-history'
import { isIncomplete } from '../../api/queries'
import type { ApplicationParams } from '../../paths'
import { latestBuilds } from '../../resources/latest-builds'
import { publicInfo } from '../../resources/public-info'

/** A component, and what its builds say of it. */
export interface BuiltComponent {
  component: Component
  state: BuildPipelineState
  /** Push builds that are known, the newest start first; `undefined` until any are, or it is known that there are none. */
  builds: readonly PipelineRun[] | undefined
  /** Why some or all builds could not be read. */
  error: Error | null
}

/**
 * Components with their builds, which the cluster has in one list; of those that it has not built lately an archive is
 * asked, for all together. A component about which nothing has changed is the same object as before.
 * @param live builds of the application, or of the only component
 */
export function useBuilds(
  { namespace, application }: ApplicationParams,
  components: readonly Component[],
  live: ReturnType<typeof latestBuilds.list>,
): BuiltComponent[] {
  const info = useQuery(publicInfo.get())
  const bot = info.isPending ? undefined : botName(info.data)
  const { data, error } = useQuery(live)
  const current = useMemo(() => data && pushBuildsByComponent(data.items), [data])
  const isWhole = current !== undefined && !isIncomplete(data)
  const open = components.filter((component) => {
    const builds = current?.get(nameOf(component)) ?? []
    return isWhole && bot !== undefined && (builds.length === 0 || isUndecided(component, { builds, bot }))
  })
  const answers = useQueries({
    queries: open.map((component) => {
      const builds = current?.get(nameOf(component)) ?? []
      const limit = isUndecided(component, { builds, bot }) ? buildsForState : 1
      return latestBuilds.kept(namespace, application, { component: nameOf(component), limit })
    }),
  })
  const [keep] = useState(reuseEqualRows)
  return keep(
    components.map((component) => {
      const answer = answers[open.indexOf(component)]
      const own = current?.get(nameOf(component)) ?? []
      const isKnown = isWhole && bot !== undefined && !answer?.isPending
      const builds = answer?.data ? mergeRuns(own, answer.data, buildsForState) : own
      const state = buildPipelineState(component, { builds: isKnown ? builds : undefined, bot })
      return {
        component,
        // Builds that could not be read may be those of a pull request that was merged.
        state: state === 'pending' && answer?.error ? 'loading' : state,
        builds: isKnown || builds.length > 0 ? builds : undefined,
        error: (current ? undefined : error) ?? answer?.error ?? null,
      }
    }),
  )
}

function reuseEqualRows(): (rows: BuiltComponent[]) => BuiltComponent[] {
  let before = new Map<string, BuiltComponent>()
  return (rows) => {
    const kept = rows.map((row) => {
      const known = before.get(uidOf(row.component))
      return known && isSame(known, row) ? known : row
    })
    before = new Map(kept.map((row) => [uidOf(row.component), row]))
    return kept
  }
}

const isSame = (a: BuiltComponent, b: BuiltComponent): boolean =>
  a.component === b.component &&
  a.state === b.state &&
  a.error === b.error &&
  a.builds?.length === b.builds?.length &&
  (a.builds ?? []).every((run, index) => run === b.builds?.[index])
