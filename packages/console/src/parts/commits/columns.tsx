import type { Commit } from '@slipway/model/builds/commit'
import { shortSha } from '@slipway/model/git/git-facts'
import { runStatuses } from '@slipway/model/runs/run-status'
import { paths } from '../../paths'
import { ComponentLinks, pathIn, PullRequestLink } from '../links'
import { UserText } from '../../ui/text/UserText'
import { tablePreferences } from '../../ui/table/columns'
import { ageColumn, byName, byStatus, statusColumn } from '../../ui/table/common-columns'
import type { Column, Filter } from '../../ui/table/rows'
import { CommitStatus } from './CommitStatus'
import { byUser, factColumns } from './fact-columns'
import type { SnapshotReleases } from './use-snapshot-releases'
import './commits.css'

/** Shared by all lists of commits, until the browser tab is closed. */
export const commitPreferences = tablePreferences('commits-visible-columns', 'session')

const applicationOfCommit = ({ pipelineRuns, application }: Commit) => ({
  namespace: pipelineRuns[0]?.metadata.namespace,
  application,
})

interface CellParams {
  releases: SnapshotReleases
}

const facts = factColumns<Commit, CellParams>((commit) => commit)

export const commitColumns: Column<Commit, CellParams>[] = [
  statusColumn('withVerdict', (commit, { releases }) => <CommitStatus commit={commit} releases={releases} />, {
    sortBy: ({ status }) => status,
  }),
  {
    id: 'name',
    label: 'Name',
    isRowHeader: true,
    linkTo: (commit) => pathIn(applicationOfCommit(commit), (at) => paths.commit({ ...at, commit: commit.sha })),
    prefix: (commit) => <CommitId commit={commit} />,
    cell: ({ shaTitle }) => <UserText text={shaTitle} />,
  },
  facts.branch,
  {
    id: 'component',
    label: 'Component',
    width: 15,
    cell: (commit) => <ComponentLinks at={applicationOfCommit(commit)} components={commit.components} />,
  },
  facts.byUser,
  ageColumn('committedAt', 'Latest commit at', ({ creationTime }) => creationTime, { widthRem: 8.25 }),
]

export const commitFilters: Filter<Commit>[] = [
  byName(({ sha, shaTitle }) => `${shaTitle} ${sha}`),
  byStatus(({ status }) => status, runStatuses),
  {
    id: 'pull request',
    label: 'Pull request',
    choices: ({ pullRequestNumber }) => (pullRequestNumber === undefined ? undefined : `#${pullRequestNumber}`),
  },
  byUser(({ user }) => user),
]

function CommitId({ commit }: { commit: Commit }) {
  const { sha, isPullRequest, pullRequestNumber, pullRequestUrl } = commit
  return (
    <>
      <code className="slipway-sha">{shortSha(sha)}</code>{' '}
      {isPullRequest && pullRequestNumber !== undefined && (
        <>
          <PullRequestLink number={pullRequestNumber} url={pullRequestUrl} />{' '}
        </>
      )}
    </>
  )
}
