import { describe, expect, it, test } from 'vitest'
import { branchUrl, commitUrl, type GitProvider, pullRequestUrl } from './git-host'

describe('links to git hosts', () => {
  test.each<[GitProvider, string, string, string]>([
    ['github', '/commit/abc', '/pull/7', '/tree/feature/a%20b'],
    ['gitlab', '/-/commit/abc', '/-/merge_requests/7', '/-/tree/feature/a%20b'],
    ['bitbucket', '/commits/abc', '/pull-requests/7', '/branch/feature/a%20b'],
    ['forgejo', '/commit/abc', '/pulls/7', '/src/branch/feature/a%20b'],
  ])('COM-14 exist for %s', (gitProvider, commit, pullRequest, branch) => {
    const repository = { repoUrl: 'https://git.test/o/r', gitProvider }
    expect(commitUrl(repository, 'abc')).toBe(`https://git.test/o/r${commit}`)
    expect(pullRequestUrl(repository, 7)).toBe(`https://git.test/o/r${pullRequest}`)
    expect(branchUrl(repository, 'feature/a b')).toBe(`https://git.test/o/r${branch}`)
  })

  it('COM-14 of an unknown host lead only to the commit', () => {
    const repository = { repoUrl: 'https://git.test/o/r', gitProvider: undefined }
    expect(commitUrl(repository, 'abc')).toBe('https://git.test/o/r/commit/abc')
    expect(pullRequestUrl(repository, 7)).toBeUndefined()
    expect(branchUrl(repository, 'main')).toBeUndefined()
    expect(commitUrl({ repoUrl: undefined, gitProvider: 'github' }, 'abc')).toBeUndefined()
  })
})
