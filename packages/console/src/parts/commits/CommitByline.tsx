import type { KubeObject } from '@slipway/kube/object'
import { branchOf, pullRequestText, userOf } from '@slipway/model/git/git-facts'
import { UserText } from '../../ui/text/UserText'
import './commits.css'

interface CommitBylineProps {
  /** A run, a snapshot or a release. */
  object: KubeObject
  /** The pull requests whose changes are in it, if it does not say so itself: `#7, #9`. */
  pullRequests?: string
}

/** The pull request or the branch of a commit, and its user, behind the name of what was made of it. */
export function CommitByline({ object, pullRequests = pullRequestText(object) }: CommitBylineProps) {
  const change = pullRequests || branchOf(object)
  const user = userOf(object)
  if (!change && !user) return null
  return (
    <>
      {' '}
      <span className="slipway-byline">
        {change && <UserText text={change} />}
        {change && user && ' · '}
        {user && <UserText text={user} />}
      </span>
    </>
  )
}
