import { Title } from '@patternfly/react-core'
import { DateAndAge } from '../../ui/text/RelativeTime'
import { BranchLink, ComponentLinks } from '../../ui/commits/columns'
import { Copyable } from '../../ui/text/Copyable'
import { Details } from '../../ui/page/Details'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { StatusLabel } from '../../ui/status/StatusLabel'
import { CommitGraph } from '../../ui/graph/CommitGraph'
import { useRequiredParams } from '../../ui/page/route-params'
import { useCommitOfPage } from './commit-of-page'

export { CommitDetailsTab as Component }
function CommitDetailsTab() {
  const commit = useCommitOfPage()
  const at = useRequiredParams('namespace', 'application')
  const { sha, shaTitle, repoUrl, user, creationTime, pullRequestNumber, pullRequestUrl, status } = commit
  return (
    <>
      <Title headingLevel="h2" className="slipway-section-title">
        Workflow
      </Title>
      <CommitGraph commit={commit} at={at} />
      <Title headingLevel="h2" className="slipway-section-title">
        Details
      </Title>
      <Details
        label="Commit details"
        items={[
          ['Commit', <Copyable key="sha" text={sha} noun="commit SHA" />],
          ['Message', shaTitle],
          ['Status', <StatusLabel key="status" status={status ?? 'Unknown'} />],
          ['Branch', <BranchLink key="branch" commit={commit} />],
          [
            'Pull request',
            pullRequestNumber === undefined ? undefined : pullRequestUrl ? (
              <ExternalLink href={pullRequestUrl}>#{pullRequestNumber}</ExternalLink>
            ) : (
              `#${pullRequestNumber}`
            ),
          ],
          ['By user', user ?? null],
          ['Latest commit at', <DateAndAge key="time" time={creationTime} />],
          [
            'Repository',
            repoUrl ? <ExternalLink href={repoUrl}>{repoUrl.replace(/^https?:\/\//, '')}</ExternalLink> : null,
          ],
          ['Components', <ComponentLinks key="components" commit={commit} />],
        ]}
      />
    </>
  )
}
