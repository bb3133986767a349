import type { GitFacts } from '@slipway/model/git/git-facts'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { UserText } from '../../ui/text/UserText'
import { valueWidthsRem } from '../../ui/table/column-widths'
import type { ChoiceFilter, Column } from '../../ui/table/rows'

type Facts = Pick<GitFacts, 'branch' | 'branchUrl' | 'user'>

/**
 * Where the commit of a row comes from, as columns.
 * @param factsOf returns what is known about the commit of a row
 */
export const factColumns = <T, A>(factsOf: (row: T) => Facts) =>
  ({
    branch: {
      id: 'branch',
      label: 'Branch',
      widthRem: valueWidthsRem.shortName,
      visibleFrom: 'lg',
      sortBy: (row) => factsOf(row).branch,
      cell: (row) => <BranchLink facts={factsOf(row)} />,
    },
    byUser: {
      id: 'byUser',
      label: 'By user',
      widthRem: valueWidthsRem.shortName,
      visibleFrom: 'xl',
      sortBy: (row) => factsOf(row).user,
      cell(row) {
        const { user } = factsOf(row)
        return user ? <UserText text={user} /> : '-'
      },
    },
  }) satisfies Record<string, Column<T, A>>

/** The filter by the user who pushed or opened the pull request. */
export const byUser = <T,>(userOf: (row: T) => string | undefined): ChoiceFilter<T> => ({
  id: 'byUser',
  label: 'By user',
  choices: userOf,
})

export const BranchLink = ({ facts: { branch, branchUrl } }: { facts: Pick<GitFacts, 'branch' | 'branchUrl'> }) =>
  branch ? (
    <ExternalLink href={branchUrl}>
      <UserText text={branch} />
    </ExternalLink>
  ) : (
    '-'
  )
