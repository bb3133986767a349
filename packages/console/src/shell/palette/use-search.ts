import { nameOf, specOf } from '@slipway/kube/object'
import { secretType } from '@slipway/kube/core-types'
import type { KubeList } from '@slipway/kube/object'
import { type Commit, commitsOf } from '@slipway/model/builds/commit'
import { shortSha } from '@slipway/model/git/git-facts'
import { componentsOf } from '@slipway/model/builds/component'
import { newestFirst } from '@slipway/model/newest'
import { digestOf, componentsIn, type Snapshot } from '@slipway/model/snapshots/snapshot'
import { pullRequestsIn, referenceOf } from '@slipway/model/snapshots/snapshot-origin'
import { builtDigestOf } from '@slipway/model/snapshots/snapshot-vulnerabilities'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { cvesIn, digestIn, pullRequestIn, pullRequestTerm } from '@slipway/model/search-term'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { accessQuery } from '../../api/access/access'
import { isIncomplete } from '../../api/queries'
import { filteredByName, paths } from '../../paths'
import { componentsWith, vulnerabilitiesWith } from '../../parts/security/vulnerability-links'
import { components } from '../../resources/components'
import { integrationTestScenarios } from '../../resources/integration-test-scenarios'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { releasePlans } from '../../resources/release-plans'
import { releases } from '../../resources/releases'
import { secrets } from '../../resources/secrets'
import { snapshots } from '../../resources/snapshots'
import type { Command } from './commands'

/** Shorter input would match nearly everything. */
const minLength = 2
/** The most runs that a search reads, however many the namespace has. */
const maxRuns = 1_000
/** The most releases that a search reads. */
const maxReleases = 1_000
/** The most snapshots in whose images a digest is looked for: a snapshot may have dozens of them. */
const maxSnapshots = 500
const fullSha = /^[0-9a-f]{40}$/

/** What can be found, and how much of it was searched. */
export interface Search {
  /** Not yet matched against what is typed. */
  commands: Command[]
  /** What is still loading. */
  loading: string[]
  /** What could not be loaded, as in 'Unable to load namespaces'. */
  missing: string[]
  /** A sentence that says what was searched; `undefined` before the first search. */
  scope: string | undefined
  /** A sentence that says what was not searched. */
  unsearched: string | undefined
  /** The namespace, of which only one application was searched. */
  namespaceOfScope: string | undefined
}

const nothing: Search = {
  commands: [],
  loading: [],
  missing: [],
  scope: undefined,
  unsearched: undefined,
  namespaceOfScope: undefined,
}

/**
 * Components, integration tests, release plans, releases, pipeline runs and commits of the current application, or else
 * of the namespace, snapshots of the application, and the namespace's secrets for users who may list them. They are
 * loaded once the user types: a request for each, however much is typed afterwards, and none for what the page has
 * already loaded. The digest of an image is one more request, for the snapshots that have it.
 * @param text as from `searchTermOf`
 */
export function useSearch(
  text: string,
  namespace: string | undefined,
  application: string | undefined,
  goTo: (to: string) => () => void,
): Search {
  const enabled = Boolean(namespace) && text.length >= minLength
  const own = useQuery({ ...components.names(namespace ?? ''), enabled })
  const namedSecrets = useSecrets(namespace ?? '', enabled)
  const tests = useQuery({ ...integrationTestScenarios.listed(namespace ?? ''), enabled })
  const plans = useQuery({ ...releasePlans.listed(namespace ?? ''), enabled })
  // A namespace may have thousands of snapshots.
  const ownSnapshots = useQuery({
    ...snapshots.listed(namespace ?? '', application ?? ''),
    enabled: enabled && Boolean(application),
  })
  const released = useQuery({ ...releases.some(namespace ?? '', application, maxReleases), enabled })
  const digest = digestIn(text)
  const images = useQuery({
    ...snapshots.images(namespace ?? '', application, maxSnapshots),
    enabled: enabled && digest !== undefined,
  })
  const runs = useRuns(text, { namespace: namespace ?? '', application, enabled })
  const runItems = runs.items
  // Measured: grouping 1,000 runs takes 35 ms, which would be the cost of every keystroke.
  const commits = useMemo(() => commitsOf(runItems).map((commit) => ({ commit, texts: textsOf(commit) })), [runItems])
  const snapshotItems = ownSnapshots.data?.items
  const snapshotTexts = useMemo(() => (snapshotItems ?? []).map(searchTextOf), [snapshotItems])
  if (!enabled || !namespace) return nothing
  const parts: [noun: string, query: { isLoading: boolean; isError: boolean }][] = [
    ['components', own],
    ['integration tests', tests],
    ['release plans', plans],
    ['releases', released],
    ['snapshots', ownSnapshots],
    ['images of snapshots', images],
    ['secrets', namedSecrets],
    ['pipeline runs and commits', runs],
  ]
  const all = own.data?.items ?? []
  const shown = application ? componentsOf(all, application) : all
  return {
    commands: [
      ...cvesIn(text).flatMap((cve): Command[] => {
        const here = vulnerabilitiesWith(paths.vulnerabilities({ namespace }), { vulnerability: cve })
        const label = `Components with ${cve}`
        return [
          { id: `vulnerability ${cve}`, group: 'Vulnerabilities', label, run: goTo(here) },
          {
            id: `vulnerability ${cve} everywhere`,
            group: 'Vulnerabilities',
            label: `${label} in all namespaces`,
            run: goTo(componentsWith(cve)),
          },
        ]
      }),
      ...shown.flatMap((component): Command[] => {
        const name = nameOf(component)
        const of = component.spec.application
        if (!of) return []
        const to = paths.component({ namespace, application: of, component: name })
        return [{ id: `component ${name}`, group: 'Components', label: name, run: goTo(to) }]
      }),
      ...(tests.data?.items ?? []).flatMap((test): Command[] => {
        const { application: of } = specOf(test)
        if (!of || (application && of !== application)) return []
        const to = paths.integrationTest({ namespace, application: of, integrationTest: nameOf(test) })
        return [{ id: `test ${of} ${nameOf(test)}`, group: 'Integration tests', label: nameOf(test), run: goTo(to) }]
      }),
      ...(plans.data?.items ?? []).flatMap((plan): Command[] => {
        if (application && specOf(plan).application !== application) return []
        const name = nameOf(plan)
        const to = paths.releasePlan({ namespace, releasePlan: name })
        return [{ id: `plan ${name}`, group: 'Release plans', label: name, run: goTo(to) }]
      }),
      ...(released.data?.items ?? []).flatMap((release): Command[] => {
        const { releasePlan = '', snapshot = '' } = specOf(release)
        // The service labels a release once it is valid.
        const of =
          release.metadata.labels?.[labels.application] ??
          specOf(plans.data?.items.find((plan) => nameOf(plan) === releasePlan) ?? {}).application
        if (!of) return []
        const name = nameOf(release)
        const to = paths.release({ namespace, application: of, release: name })
        const searchText = `${name} ${snapshot}`
        return [{ id: `release ${name}`, group: 'Releases', label: name, searchText, run: goTo(to) }]
      }),
      ...(digest
        ? withImage(images.data?.items ?? [], digest).flatMap((snapshot): Command[] => {
            const { application: of } = specOf(snapshot)
            if (!of) return []
            const name = nameOf(snapshot)
            const to = paths.snapshot({ namespace, application: of, snapshot: name })
            return [{ id: `snapshot ${name}`, group: 'Snapshots', label: name, searchText: digest, run: goTo(to) }]
          })
        : (snapshotItems ?? []).map((snapshot, index): Command => {
            const name = nameOf(snapshot)
            return {
              id: `snapshot ${name}`,
              group: 'Snapshots',
              label: name,
              searchText: snapshotTexts[index] ?? name,
              run: goTo(paths.snapshot({ namespace, application: application ?? '', snapshot: name })),
            }
          })),
      ...(namedSecrets.data?.items ?? []).map((secret): Command => {
        const name = nameOf(secret)
        // A secret has no page of its own.
        const to = filteredByName(paths.secrets({ namespace }), name)
        return { id: `secret ${name}`, group: 'Secrets', label: name, run: goTo(to) }
      }),
      ...runItems.flatMap((run): Command[] => {
        const of = run.metadata.labels?.[labels.application]
        if (!of) return []
        const to = paths.pipelineRun({ namespace, application: of, pipelineRun: nameOf(run) })
        const searchText = `${nameOf(run)} ${builtDigestOf(run) ?? ''}`
        return [{ id: `run ${nameOf(run)}`, group: 'Pipeline runs', label: nameOf(run), searchText, run: goTo(to) }]
      }),
      ...commits.flatMap(({ commit: { sha, application: of }, texts }): Command[] => {
        if (!of) return []
        const to = paths.commit({ namespace, application: of, commit: sha })
        return [{ id: `commit ${sha}`, group: 'Commits', ...texts, run: goTo(to) }]
      }),
    ],
    loading: parts.filter(([, { isLoading }]) => isLoading).map(([noun]) => noun),
    missing: parts.filter(([, { isError }]) => isError).map(([noun]) => noun),
    scope: [
      scopeText(application ? `application ${application}` : `namespace ${namespace}`, runs),
      ...(released.data && isIncomplete(released.data)
        ? [`Only the first ${count(maxReleases)} releases by name.`]
        : []),
      ...(digest && images.data && isIncomplete(images.data)
        ? [`Only the images of the first ${count(maxSnapshots)} snapshots by name.`]
        : []),
    ].join(' '),
    unsearched: `Not searched: ${application ? '' : 'snapshots by name, '}task runs, pods, images other than by their full digest, and what is only in the archive.`,
    namespaceOfScope: application && namespace,
  }
}

/** What the palette shows of a commit, and by what it finds it. */
function textsOf({ sha, shaTitle, user, repoUrl, pullRequestNumber: number }: Commit) {
  // The title of a merge often ends with the number.
  const request = number !== undefined && !shaTitle.includes(`#${number}`) ? ` #${number}` : ''
  const label = `${shortSha(sha)} ${shaTitle}${request}${user ? ` by ${user}` : ''}`
  return { label, searchText: `${sha} ${label} ${pullRequestTerm({ repoUrl, number })}` }
}

function searchTextOf(snapshot: Snapshot): string {
  const { shaTitle = '', sha = '' } = referenceOf(snapshot)
  return [nameOf(snapshot), shaTitle, sha, ...pullRequestsIn(snapshot).map(pullRequestTerm)].join(' ')
}

/** The snapshots that have an image, newest first. */
const withImage = (snapshots: readonly Snapshot[], digest: string): Snapshot[] =>
  snapshots
    .filter((snapshot) => componentsIn(snapshot).some(({ containerImage }) => digestOf(containerImage) === digest))
    .sort(newestFirst)

const count = (value: number): string => value.toLocaleString('en-US')

/** Most users may not list secrets, which is not a failure of their search. */
function useSecrets(namespace: string, enabled: boolean) {
  const { data: mayList } = useQuery({
    ...accessQuery({ verb: 'list', type: secretType, namespace }),
    enabled,
    refetchInterval: false,
  })
  return useQuery({ ...secrets.list(namespace), enabled: enabled && mayList === true })
}

interface Runs {
  items: PipelineRun[]
  isLoading: boolean
  isError: boolean
  /** More runs exist than were read. */
  isCut: boolean
  /** How many more, if the cluster says so; it does not for a label selector. */
  remainingCount: number | undefined
}

interface RunsScope {
  namespace: string
  application: string | undefined
  enabled: boolean
}

function useRuns(text: string, { namespace, application, enabled }: RunsScope): Runs {
  const queryClient = useQueryClient()
  const own = application ? { [labels.application]: application } : undefined
  const known = queryClient.getQueryData<KubeList<PipelineRun>>(pipelineRuns.list(namespace, own).queryKey)
  const listed = isIncomplete(known) ? undefined : known
  const page = useQuery({ ...pipelineRuns.some(namespace, own, maxRuns), enabled: enabled && !listed })
  const first = listed ?? page.data
  const isCut = isIncomplete(first) && first !== undefined
  // The cluster can search all runs for these by itself.
  const number = pullRequestIn(text)
  const [exactLabel, value] = fullSha.test(text) ? [labels.commitSha, text] : [labels.pullRequestNumber, number]
  const exact = useQuery({
    ...pipelineRuns.some(namespace, { ...own, [exactLabel]: value ?? '' }, maxRuns),
    enabled: enabled && isCut && value !== undefined,
  })
  // The same array for every keystroke, so that the commits are not grouped again.
  const items = useMemo(() => {
    const byName = new Map([...(first?.items ?? []), ...(exact.data?.items ?? [])].map((run) => [nameOf(run), run]))
    return [...byName.values()]
  }, [first, exact.data])
  return {
    items,
    isLoading: page.isLoading || exact.isLoading,
    isError: (page.isError && !listed) || exact.isError,
    isCut,
    remainingCount: first?.metadata.remainingItemCount,
  }
}

function scopeText(where: string, { items, isCut, remainingCount, isLoading, isError }: Runs): string {
  const searched = `Searched in ${where}`
  if (isLoading || isError) return `${searched}.`
  if (!isCut) return `${searched}: all runs in the cluster.`
  const read = count(items.length)
  const runs = remainingCount
    ? `${read} of ${count(items.length + remainingCount)} runs`
    : `the first ${read} runs by name`
  return `${searched}: ${runs} in the cluster. Enter a full SHA or the URL of a pull request to search all runs.`
}
