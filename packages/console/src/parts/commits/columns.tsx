import type { Commit } from '@slipway/model/builds/commit'
import { shortSha } from '@slipway/model/git/git-facts'
import { runStatuses } from '@slipway/model/runs/run-status'
import { paths } from '../../paths'
import { ComponentLinks, pathIn, PullRequestLink } from '../links'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { UserText } from '../../ui/text/UserText'
import { tablePreferences } from '../../ui/table/columns'
import { ageColumn, byName, byStatus, statusColumn } from '../../ui/table/common-columns'
import type { Column, Filter } from '../../ui/table/rows'
import { CommitStatus } from './CommitStatus'
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
  { id: 'branch', label: 'Branch', width: 10, visibleFrom: 'lg', cell: (commit) => <BranchLink commit={commit} /> },
  {
    id: 'component',
    label: 'Component',
    width: 15,
    cell: (commit) => <ComponentLinks at={applicationOfCommit(commit)} components={commit.components} />,
  },
  {
    id: 'byUser',
    label: 'By user',
    width: 10,
    visibleFrom: 'lg',
    cell: ({ user }) => (user ? <UserText text={user} /> : '-'),
  },
  ageColumn('committedAt', 'Latest commit at', ({ creationTime }) => creationTime, { width: 15 }),
]

export const commitFilters: Filter<Commit>[] = [
  byName(({ sha, shaTitle }) => `${shaTitle} ${sha}`),
  byStatus(({ status }) => status, runStatuses),
  {
    id: 'pull request',
    label: 'Pull request',
    choices: ({ pullRequestNumber }) => (pullRequestNumber === undefined ? undefined : `#${pullRequestNumber}`),
  },
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

export const BranchLink = ({ commit: { branch, branchUrl } }: { commit: Pick<Commit, 'branch' | 'branchUrl'> }) =>
  branch ? (
    <ExternalLink href={branchUrl}>
      <UserText text={branch} />
    </ExternalLink>
  ) : (
    '-'
  )
