import { type Commit, snapshotsOf } from '@slipway/model/builds/commit'
import { useOutletContext } from 'react-router'
import { paths } from '../../paths'
import { DateAndAge } from '../../ui/text/RelativeTime'
import { CommitDeliveries } from '../../parts/delivery/CommitDeliveries'
import { CommitStatus } from '../../parts/commits/CommitStatus'
import { BranchLink } from '../../parts/commits/fact-columns'
import { useSnapshotReleases } from '../../parts/commits/use-snapshot-releases'
import { ComponentLinks, PullRequestLink, SnapshotLinks } from '../../parts/links'
import { Copyable } from '../../ui/text/Copyable'
import { Details } from '../../ui/page/Details'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { CommitGraph } from '../../parts/graph/CommitGraph'
import { Section } from '../../ui/page/Section'
import { route } from '../../ui/page/route'
import { UserText } from '../../ui/text/UserText'

export const page = route(paths.commit)

export { CommitDetailsTab as Component }
function CommitDetailsTab() {
  // `CommitLayout` passes it, and keeps it up to date.
  const commit = useOutletContext<Commit>()
  const at = page.useParams()
  const { bySnapshot } = useSnapshotReleases(at.namespace)
  const { sha, shaTitle, repoUrl, user, creationTime, pullRequestNumber, pullRequestUrl } = commit
  return (
    <>
      <Section title="Workflow">
        <CommitGraph commit={commit} releases={bySnapshot} at={at} />
      </Section>
      <Section title="Details">
        <Details
          label="Commit details"
          items={[
            ['Commit', <Copyable text={sha} noun="commit SHA" />],
            ['Message', <UserText text={shaTitle} />],
            ['Status', <CommitStatus commit={commit} releases={bySnapshot} />],
            ['Branch', <BranchLink facts={commit} />],
            ['Pull request', pullRequestNumber && <PullRequestLink number={pullRequestNumber} url={pullRequestUrl} />],
            ['By user', user ? <UserText text={user} /> : null],
            ['Latest commit at', <DateAndAge time={creationTime} />],
            [
              'Repository',
              repoUrl ? <ExternalLink href={repoUrl}>{repoUrl.replace(/^https?:\/\//, '')}</ExternalLink> : null,
            ],
            ['Components', <ComponentLinks at={at} components={commit.components} />],
            ['Snapshots', <SnapshotLinks at={at} snapshots={snapshotsOf(commit)} />],
          ]}
        />
      </Section>
      <Section title="Delivery">
        <CommitDeliveries at={at} />
      </Section>
    </>
  )
}
