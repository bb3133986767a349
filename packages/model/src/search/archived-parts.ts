import { isSha } from '../git/git-facts'
import { copiedPacKey, labels } from '../labels'
import { pullRequestNumberIn } from '../search-term'
import type { Chain } from './chain'
import { runNamesIn, textKindOf } from './found-in-text'

/** Which objects of an archive to list, newest first: an archive selects by labels, by a part of the name, and by age. */
export interface ArchivedSelection {
  labels?: Record<string, string>
  name?: string
  /** Of runs: named by a label or an annotation. */
  snapshot?: string
  /** RFC 3339. */
  createdAfter?: string
}

export interface ArchivedParts {
  runs: readonly ArchivedSelection[]
  taskRuns: readonly ArchivedSelection[]
  snapshots: readonly ArchivedSelection[]
  releases: readonly ArchivedSelection[]
}

const everything: ArchivedSelection = {}

const withLabel = (key: string, value: string) => {
  const copied = { labels: { [copiedPacKey(key)]: value } }
  return { runs: [{ labels: { [key]: value } }, copied], taskRuns: [], snapshots: [copied], releases: [] }
}

/**
 * What to list in the archive of a namespace to find what was pasted.
 * @param term as from `searchTermOf`
 * @returns `isSelective` is false if an archive cannot select it, so that its objects have to be looked through
 */
export function partsToFind(term: string): ArchivedParts & { isSelective: boolean } {
  const number = pullRequestNumberIn(term)
  if (isSha(term)) return { ...withLabel(labels.commitSha, term), isSelective: true }
  if (number) return { ...withLabel(labels.pullRequestNumber, number), isSelective: true }
  if (textKindOf(term) !== 'a name, a title or an author' || !/^[a-z0-9][a-z0-9.-]*$/.test(term))
    return { runs: [everything], taskRuns: [], snapshots: [everything], releases: [], isSelective: false }
  const named = [{ name: term }]
  // Every run has a dozen task runs with names that begin with its own, so only a whole name is looked for.
  const taskRuns = runNamesIn(term).length > 0 ? [{ name: taskRunNameIn(term) }] : []
  return { runs: named, taskRuns, snapshots: named, releases: named, isSelective: true }
}

/** The name of the task run that a pod is of; that of a task run itself. @param term as from `searchTermOf` */
export const taskRunNameIn = (term: string): string => term.replace(/-pod(?:-retry\d+)?$/, '')

/** What is known of a chain whose other parts may be in an archive. */
export type KnownChain = Pick<Chain, 'sha' | 'snapshotNames'> & Partial<Pick<Chain, 'applications' | 'snapshots'>>

/** Snapshots and builds that are looked for by name: all of a commit of a few components. */
export const mostNames = 5

/**
 * What to list in the archive of its namespace for the rest of a chain, besides the snapshots whose names are known. A
 * release says which snapshot it releases only in its spec: those of the application are listed, younger than what they
 * release.
 */
export function partsOfChain({ sha, snapshotNames, applications = [], snapshots = [] }: KnownChain): ArchivedParts {
  const ofCommit = sha ? withLabel(labels.commitSha, sha) : undefined
  const [application, ...others] = applications
  const oldest = snapshots.map(({ metadata }) => metadata.creationTimestamp ?? '').sort()[0]
  const builds = snapshots.flatMap(({ metadata }) => metadata.labels?.[labels.buildPipelineRun] ?? [])
  return {
    runs: ofCommit?.runs ?? [
      ...snapshotNames.slice(0, mostNames).map((snapshot) => ({ snapshot })),
      ...builds.slice(0, mostNames).map((name) => ({ name })),
    ],
    taskRuns: [],
    snapshots: ofCommit?.snapshots ?? [],
    releases: [
      {
        ...(application && others.length === 0 && { labels: { [labels.application]: application } }),
        // Of several snapshots, some may not be known.
        ...(oldest && snapshots.length >= snapshotNames.length && { createdAfter: justBefore(oldest) }),
      },
    ],
  }
}

/** Times have whole seconds, and a snapshot may be released within the second. */
const justBefore = (time: string): string => new Date(Date.parse(time) - 1_000).toISOString()
