import { asText } from '@slipway/kube/parse'
import { branchUrl, repositoryAt } from '@slipway/model/git/git-host'
import { isSha, shortSha } from '@slipway/model/git/git-facts'
import type { SnapshotComponent } from '@slipway/model/snapshots/snapshot'
import type { ApplicationParams } from '../../paths'
import { CommitLink } from '../links'
import { ExternalLink } from '../../ui/text/ExternalLink'

interface RevisionProps {
  component: SnapshotComponent
  at: ApplicationParams
}

/** The commit that was built, or a branch for an image that was not built here. */
export function Revision({ component: { source }, at }: RevisionProps) {
  const revision = asText(source?.git?.revision)
  if (!revision) return '-'
  if (isSha(revision))
    return (
      <CommitLink at={at} sha={revision}>
        {shortSha(revision)}
      </CommitLink>
    )
  return <ExternalLink href={branchUrl(repositoryAt(asText(source?.git?.url)), revision)}>{revision}</ExternalLink>
}
