import { expect, test } from 'vitest'
import { digestIn, pullRequestIn, pullRequestTerm, searchTermOf } from './search-term'

const hex = '0123456789abcdef'.repeat(4)
const sha = hex.slice(0, 40)

test.each([
  ['nothing', '  ', ''],
  ['a name', ' Web-Build ', 'web-build'],
  ['a digest', `sha256:${hex}`, `sha256:${hex}`],
  ['an image by digest', `quay.io/acme/web:latest@sha256:${hex}`, `sha256:${hex}`],
  ['the tag of a signature', `quay.io/acme/web:sha256-${hex}.sig`, `sha256:${hex}`],
  ['a part of a digest', 'sha256:0123', 'sha256:0123'],
  ['a SHA', sha, sha],
  ['a commit of GitHub', `https://github.com/acme/web/commit/${sha}`, sha],
  ['a commit of GitLab', `https://gitlab.com/acme/shop/web/-/commit/${sha}?view=parallel`, sha],
  ['a commit of a pull request', `https://github.com/acme/web/pull/12/commits/${sha}`, sha],
  ['the commits of a branch', 'https://github.com/acme/web/commits/main', 'https://github.com/acme/web/commits/main'],
  ['a pull request of GitHub', 'https://github.com/Acme/web/pull/12', 'github.com/acme/web#12/'],
  ['a tab of one', 'https://github.com/acme/web/pull/12/files#diff-1', 'github.com/acme/web#12/'],
  ['a merge request of GitLab', 'https://gitlab.com/acme/shop/web/-/merge_requests/3', 'gitlab.com/acme/shop/web#3/'],
  ['a pull request of Forgejo', 'http://git.test:3000/acme/web/pulls/3', 'git.test:3000/acme/web#3/'],
  ['a pull request of Bitbucket', 'https://bitbucket.org/acme/web/pull-requests/3/', 'bitbucket.org/acme/web#3/'],
  ['a number', '#12', '#12/'],
  ['a number of GitLab', '!12', '#12/'],
  ['digits', '12', '12'],
  ['a path of a pull request', 'pull/12', '#12/'],
  ['a pull request in words', 'PR #12', '#12/'],
  ['a pull request in short', 'Acme/web#12', 'acme/web#12/'],
  ['a merge request in short', 'acme/shop/web!12', 'acme/shop/web#12/'],
  ['a pull request without a scheme', 'github.com/acme/web/pull/12', 'github.com/acme/web#12/'],
  ['a commit without a scheme', `github.com/acme/web/commit/${sha}`, sha],
  ['an image by a tag that is a SHA', `quay.io/acme/web:${sha}`, sha],
  ['an image of a pull request', `localhost:5000/acme/web:on-pr-${sha}`, sha],
  ['an image by another tag', 'quay.io/acme/web:latest', 'quay.io/acme/web:latest'],
  ['a pod of kubectl', 'pod/web-on-push-pod', 'web-on-push-pod'],
  ['a run of kubectl', 'pipelinerun.tekton.dev/web-on-push', 'web-on-push'],
  ['a repository', 'acme/web', 'acme/web'],
  ['a quoted text', ' "Round prices" ', 'round prices'],
  ['a quoted SHA in a sentence', `\`${sha}\`,`, sha],
  ['words on several lines', 'Round\r\n  the\tprices', 'round the prices'],
  ['a quote', '"', '"'],
])('%s is searched by what objects say', (_, typed, term) => expect(searchTermOf(typed)).toBe(term))

test.each([
  ['https://github.com/acme/web/pull/12', true],
  ['#12', true],
  ['12', true],
  ['https://github.com/acme/web/pull/1', false],
  ['https://github.com/acme/api/pull/12', false],
  ['#1', false],
])('%s finds a pull request: %s', (typed, isFound) => {
  const term = pullRequestTerm({ repoUrl: 'https://github.com/Acme/web', number: 12 })
  expect(term.includes(searchTermOf(typed))).toBe(isFound)
})

test('a pull request of an unknown repository is found by its number, and one without a number not at all', () => {
  expect(pullRequestTerm({ repoUrl: undefined, number: 12 })).toBe('#12/')
  expect(pullRequestTerm({ repoUrl: 'https://github.com/acme/web', number: undefined })).toBe('')
})

test.each([
  ['https://github.com/acme/web/pull/12', '12'],
  ['#12', undefined],
  ['web', undefined],
])('%s names the pull request %s for a request to the cluster', (typed, number) =>
  expect(pullRequestIn(searchTermOf(typed))).toBe(number),
)

test.each([
  [`web@sha256:${hex}`, `sha256:${hex}`],
  ['sha256:0123', undefined],
  [sha, undefined],
])('%s names the digest %s', (typed, digest) => expect(digestIn(searchTermOf(typed))).toBe(digest))
