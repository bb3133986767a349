import { commitShaOf } from '@slipway/model/git/git-facts'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { CommitRow } from '@slipway/model/views/commits'
import { mergeHistory } from '../../api/archive/merged-history'
import type { ArchivedRows, MergedRows, ViewParts } from '../../api/archive/view-with-archive'
import { useWholeView } from '../../api/views/use-view'
import { useFold } from '../../lib/use-fold'
import { commitRows, indexCommits } from './commit-index'

/** Commits of which runs are in the cluster, in an archive, or in both. */
export const archivedCommits: ArchivedRows<CommitRow, PipelineRun> = { kind: commitRows, useMerged: useMergedCommits }

/** With more, the query would be too long: then all commits are read. */
const mostNamed = 1_000

function useMergedCommits(parts: ViewParts<CommitRow, PipelineRun>): MergedRows<CommitRow> {
  const { view, live, isNarrowed, newestBy, isComplete, key } = parts
  const { shas } = useFold(foldShas, parts.pages)
  // A commit whose runs are in both may not be among the rows, since a filter of the user left it out: what the archive
  // has of it is then not all of it.
  const needsOthers = isNarrowed && shas.length > 0
  const others = useWholeView<CommitRow>(
    {
      ...view,
      namespaces: needsOthers ? view.namespaces : none,
      ...(shas.length <= mostNamed && { where: { ...view.where, commit: shas } }),
    },
    'commits',
  )
  // If they cannot be read, the table says so of the cluster as a whole.
  const isRead = others.error !== null || (others.rows !== undefined && !others.more && !others.isFetching)
  const { runs } = useFold(foldRuns, [live, (needsOthers && others.rows) || none])
  const pages = !needsOthers || isRead ? parts.pages : none
  const { items } = useFold(mergeHistory<PipelineRun>, { live: runs, pages, selection: {}, newestBy, isComplete }, key)
  const { rows } = useFold(indexCommits, items, key)
  return { items: rows, hasMore: items.length > runs.length }
}

interface ArchivedShas {
  pages: ViewParts<CommitRow, PipelineRun>['pages']
  shas: readonly string[]
}

const foldShas = (pages: ArchivedShas['pages'], before?: ArchivedShas): ArchivedShas =>
  before?.pages === pages
    ? before
    : { pages, shas: [...new Set(pages.flat().flatMap((run) => commitShaOf(run) ?? none))].sort() }

interface LiveRuns {
  lists: readonly [readonly CommitRow[], readonly CommitRow[]]
  runs: readonly PipelineRun[]
}

function foldRuns(lists: LiveRuns['lists'], before?: LiveRuns): LiveRuns {
  const [own, others] = lists
  if (before && before.lists[0] === own && before.lists[1] === others) return before
  const commits = new Map([...others, ...own].map((commit) => [commit.sha, commit]))
  return { lists, runs: [...commits.values()].flatMap(({ pipelineRuns }) => pipelineRuns) }
}

const none: never[] = []
