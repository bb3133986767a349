import type { Commit } from '@slipway/model/supply-chain/commit'
import { shortSha } from '@slipway/model/supply-chain/commit'
import { runStatuses } from '@slipway/model/runs/run-status'
import { Link } from 'react-router'
import { paths } from '../../paths'
import { ExternalLink } from '../text/ExternalLink'
import { RelativeTime } from '../text/RelativeTime'
import { StatusLabel } from '../status/StatusLabel'
import { tablePreferences } from '../table/columns'
import type { Column, Filter } from '../table/rows'
import '../inline-list.css'
import './commits.css'

/** Shared by all lists of commits, until the browser tab is closed. */
export const commitPreferences = tablePreferences('commits-visible-columns', 'session')

const namespaceOf = ({ pipelineRuns }: Commit): string => pipelineRuns[0]?.metadata.namespace ?? ''

export const commitColumns: Column<Commit>[] = [
  {
    id: 'status',
    label: 'Status',
    width: 15,
    sortBy: ({ status }) => status,
    cell: ({ status }) => <StatusLabel status={status ?? 'Unknown'} />,
  },
  { id: 'name', label: 'Name', isRowHeader: true, cell: (commit) => <CommitName commit={commit} /> },
  { id: 'branch', label: 'Branch', width: 10, visibleFrom: 'lg', cell: (commit) => <BranchLink commit={commit} /> },
  { id: 'component', label: 'Component', width: 15, cell: (commit) => <ComponentLinks commit={commit} /> },
  { id: 'byUser', label: 'By user', width: 10, visibleFrom: 'lg', cell: ({ user }) => user ?? '-' },
  {
    id: 'committedAt',
    label: 'Latest commit at',
    width: 15,
    sortBy: ({ creationTime }) => creationTime,
    firstDirection: 'desc',
    cell: ({ creationTime }) => <RelativeTime time={creationTime} />,
  },
]

export const commitFilters: Filter<Commit>[] = [
  { id: 'name', label: 'name', text: ({ sha, shaTitle }) => `${shaTitle} ${sha}` },
  { id: 'status', label: 'Status', choices: ({ status }) => status, values: runStatuses },
]

function CommitName({ commit }: { commit: Commit }) {
  const { sha, shaTitle, application, isPullRequest, pullRequestNumber, pullRequestUrl } = commit
  return (
    <>
      <code className="slipway-sha">{shortSha(sha)}</code>{' '}
      {isPullRequest && pullRequestNumber !== undefined && (
        <>
          {pullRequestUrl ? (
            <ExternalLink href={pullRequestUrl}>#{pullRequestNumber}</ExternalLink>
          ) : (
            `#${pullRequestNumber}`
          )}{' '}
        </>
      )}
      {application ? (
        <Link to={paths.commit({ namespace: namespaceOf(commit), application, commit: sha })}>{shaTitle}</Link>
      ) : (
        shaTitle
      )}
    </>
  )
}

export function BranchLink({ commit: { branch, branchUrl } }: { commit: Commit }) {
  if (!branch) return '-'
  return branchUrl ? <ExternalLink href={branchUrl}>{branch}</ExternalLink> : branch
}

export function ComponentLinks({ commit }: { commit: Commit }) {
  const { components, application } = commit
  if (components.length === 0) return '-'
  if (!application) return components.join(', ')
  return (
    <ul className="slipway-inline-list">
      {components.map((component) => (
        <li key={component}>
          <Link to={paths.component({ namespace: namespaceOf(commit), application, component })}>{component}</Link>
        </li>
      ))}
    </ul>
  )
}
