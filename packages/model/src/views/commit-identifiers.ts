import type { KubeObject } from '@slipway/kube/object'
import { commitShaOf, gitFactsOf } from '../git/git-facts'
import { pullRequestTerm } from '../search-term'

/**
 * What users paste to find what was made of a commit: its SHA, its title, who made it, and its pull request, with the
 * repository, without its host, and by the number alone (`searchTermOf`).
 */
export function commitIdentifiers(object: KubeObject): string[] {
  const sha = commitShaOf(object)
  const { shaTitle, user, repoUrl, pullRequestNumber: number } = gitFactsOf(sha, [object])
  const request = pullRequestTerm({ repoUrl, number })
  const requests = number === undefined ? [] : new Set([request, request.replace(/^[^/#]+\//, ''), `#${number}/`])
  return [sha, shaTitle, user, ...requests].flatMap((each) => each ?? [])
}
