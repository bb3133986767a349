import type { ApplicationParams } from '../../paths'
import { CommitLink, PullRequestLink } from '../links'
import '../../ui/inline-list.css'

interface ReferenceProps {
  at: Partial<ApplicationParams>
  pullRequests: readonly { number: number; url: string | undefined }[]
  sha: string | undefined
}

/** What was built or tested: the pull requests at their git host, and the commit. */
export function Reference({ at, pullRequests, sha }: ReferenceProps) {
  if (!sha && pullRequests.length === 0) return '-'
  return (
    <>
      {pullRequests.length > 0 && (
        <ul className="slipway-inline-list">
          {pullRequests.map(({ number, url }) => (
            <li key={url ?? number}>
              <PullRequestLink number={number} url={url} />
            </li>
          ))}
        </ul>
      )}
      {pullRequests.length > 0 && sha && ' '}
      {sha && <CommitLink at={at} sha={sha} />}
    </>
  )
}
