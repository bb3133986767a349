import { nameOf } from '@slipway/kube/object'
import type { KubeList } from '@slipway/kube/object'
import { commitsOf, shortSha } from '@slipway/model/supply-chain/commit'
import { componentsOf } from '@slipway/model/supply-chain/component'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { isIncomplete } from '../../api/queries'
import { paths } from '../../paths'
import { components } from '../../resources/components'
import { pipelineRuns } from '../../resources/pipeline-runs'
import type { Command } from './commands'

/** With fewer letters nearly everything would be found. */
const fewestLetters = 2
/** A search reads no more runs than these, whatever a namespace has. */
const mostRuns = 1_000
const wholeSha = /^[0-9a-f]{40}$/

interface Search {
  /** To be matched with what is typed, as all commands are. */
  commands: Command[]
  loading: string[]
  /** What could not be read. */
  missing: string[]
  /** What was searched, in a sentence; `undefined` before anything is. */
  scope: string | undefined
}

/**
 * Components, pipeline runs and commits of the application at hand, else of the namespace. They are read once something
 * is typed: two requests, however much is typed afterwards, and none for what the page has read already.
 */
export function useSearch(
  typed: string,
  namespace: string | undefined,
  application: string | undefined,
  goTo: (to: string) => () => void,
): Search {
  const words = typed.trim().toLowerCase()
  const enabled = Boolean(namespace) && words.length >= fewestLetters
  const own = useQuery({ ...components.counted(namespace ?? ''), enabled })
  const runs = useRuns(words, { namespace: namespace ?? '', application, enabled })
  const runItems = runs.items
  // Measured: to group 1,000 runs takes 35 ms, which every letter would cost.
  const commits = useMemo(() => commitsOf(runItems), [runItems])
  if (!enabled || !namespace) return { commands: [], loading: [], missing: [], scope: undefined }
  const all = own.data?.items ?? []
  const shown = application ? componentsOf(all, application) : all
  return {
    commands: [
      ...shown.flatMap((component): Command[] => {
        const name = nameOf(component)
        const of = component.spec.application
        if (!of) return []
        const to = paths.component({ namespace, application: of, component: name })
        return [{ id: `component ${name}`, group: 'Components', label: name, run: goTo(to) }]
      }),
      ...runItems.flatMap((run): Command[] => {
        const of = run.metadata.labels?.[labels.application]
        if (!of) return []
        const to = paths.pipelineRun({ namespace, application: of, pipelineRun: nameOf(run) })
        return [{ id: `run ${nameOf(run)}`, group: 'Pipeline runs', label: nameOf(run), run: goTo(to) }]
      }),
      ...commits.flatMap(({ sha, shaTitle, application: of }): Command[] => {
        if (!of) return []
        return [
          {
            id: `commit ${sha}`,
            group: 'Commits',
            label: `${shortSha(sha)} ${shaTitle}`,
            searchText: `${sha} ${shaTitle}`,
            run: goTo(paths.commit({ namespace, application: of, commit: sha })),
          },
        ]
      }),
    ],
    loading: [...(own.isLoading ? ['components'] : []), ...(runs.isLoading ? ['pipeline runs and commits'] : [])],
    missing: [...(own.isError ? ['components'] : []), ...(runs.isError ? ['pipeline runs and commits'] : [])],
    scope: scopeText(application ? `application ${application}` : `namespace ${namespace}`, runs),
  }
}

interface Runs {
  items: PipelineRun[]
  isLoading: boolean
  isError: boolean
  /** There are others that were not read. */
  isCut: boolean
  /** How many others, where the cluster says so: with a label it does not. */
  othersCount: number | undefined
}

interface RunsScope {
  namespace: string
  application: string | undefined
  enabled: boolean
}

function useRuns(words: string, { namespace, application, enabled }: RunsScope): Runs {
  const queryClient = useQueryClient()
  const own = application ? { [labels.application]: application } : undefined
  const known = queryClient.getQueryData<KubeList<PipelineRun>>(pipelineRuns.list(namespace, own).queryKey)
  const listed = isIncomplete(known) ? undefined : known
  const page = useQuery({ ...pipelineRuns.some(namespace, own, mostRuns), enabled: enabled && !listed })
  const first = listed ?? page.data
  const isCut = isIncomplete(first) && first !== undefined
  // The cluster can look for a whole SHA by itself, among all runs.
  const sha = wholeSha.test(words) ? words : ''
  const exact = useQuery({
    ...pipelineRuns.some(namespace, { ...own, [labels.commitSha]: sha }, mostRuns),
    enabled: enabled && isCut && sha !== '',
  })
  // The same array with every letter, so that the commits of the runs are too.
  const items = useMemo(() => {
    const byName = new Map([...(first?.items ?? []), ...(exact.data?.items ?? [])].map((run) => [nameOf(run), run]))
    return [...byName.values()]
  }, [first, exact.data])
  return {
    items,
    isLoading: page.isLoading || exact.isLoading,
    isError: (page.isError && !listed) || exact.isError,
    isCut,
    othersCount: first?.metadata.remainingItemCount,
  }
}

function scopeText(where: string, { items, isCut, othersCount, isLoading, isError }: Runs): string {
  const searched = `Searched in ${where}`
  if (isLoading || isError) return `${searched}.`
  if (!isCut) return `${searched}: all runs that the cluster has.`
  const read = items.length.toLocaleString('en-US')
  const runs = othersCount
    ? `${read} of ${(items.length + othersCount).toLocaleString('en-US')} runs`
    : `the first ${read} runs by name`
  return `${searched}: ${runs} that the cluster has; a whole SHA is searched in all of them.`
}
