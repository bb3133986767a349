import { describe, expect, test } from 'vitest'
import { annotations, copiedPacKey, labels } from '../labels'
import { aPipelineRun } from '../testing'
import { commitShaOf, gitProviderOf, repoUrlOf } from './git-facts'
import type { GitProvider } from './git-host'

const sha = 'faef902212a6c7cd3c6a79fa778410972259ef03'

describe('the SHA of a run', () => {
  test.each<[string, Parameters<typeof aPipelineRun>[0], string | undefined]>([
    ['of a build', { metadata: { labels: { [labels.commitSha]: sha } } }, sha],
    ['of a later run', { metadata: { labels: { [copiedPacKey(labels.commitSha)]: sha } } }, sha],
    ['of the build service', { metadata: { annotations: { [annotations.buildCommitSha]: sha } } }, sha],
    ['only in an annotation', { metadata: { annotations: { [labels.commitSha]: sha } } }, sha],
    ['only in a copied annotation', { metadata: { annotations: { [copiedPacKey(labels.commitSha)]: sha } } }, sha],
    ['of none', {}, undefined],
    ['of blanks', { metadata: { annotations: { [annotations.buildCommitSha]: ' ' } } }, undefined],
    ['without any marks', { metadata: { labels: undefined, annotations: undefined } }, undefined],
  ])('COM-05 %s', (_, overrides, expected) => expect(commitShaOf(aPipelineRun(overrides))).toBe(expected))
})

describe('the git provider of a run', () => {
  test.each<[string, string | undefined, GitProvider | undefined]>([
    ['bitbucket-cloud', undefined, 'bitbucket'],
    ['gitea', undefined, 'forgejo'],
    ['GitHub', undefined, 'github'],
    ['of our own', 'https://gitlab.example.com/o/r', 'gitlab'],
    ['', 'https://git.example.com/o/github', undefined],
  ])('is recognised by the provider %j of %s', (provider, repository, expected) => {
    const notes = { [annotations.pacGitProvider]: provider, [annotations.pacRepositoryUrl]: repository }
    expect(gitProviderOf(aPipelineRun({ metadata: { annotations: notes as Record<string, string> } }))).toBe(expected)
  })
})

describe('the URL of a repository', () => {
  test.each<[string, string | undefined]>([
    ['https://github.com/o/r', 'https://github.com/o/r'],
    ['https://github.com/o/r.git', 'https://github.com/o/r'],
    [`https://github.com/o/r/?rev=${sha}#x`, 'https://github.com/o/r'],
    ['https://user:secret@github.com/o/r', 'https://github.com/o/r'],
    ['git@github.com:o/r.git', 'https://github.com/o/r'],
    ['ssh://git@github.com/o/r', 'https://github.com/o/r'],
    ['ssh://git@git.example.test:2222/team/shop.git', 'https://git.example.test/team/shop'],
    ['ssh://git.example.test/team/shop', 'https://git.example.test/team/shop'],
    ['deploy@git.example.test:team/nested/shop.git/', 'https://git.example.test/team/nested/shop'],
    ['git://git.example.test/team/shop.git', 'https://git.example.test/team/shop'],
    ['https://git.example.test:8443/team/shop.git', 'https://git.example.test:8443/team/shop'],
    ['javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['//evil.test/x', undefined],
    ['not an address', undefined],
    ['', undefined],
  ])('%s', (text, expected) => {
    const notes = { [annotations.pacRepositoryUrl]: text }
    expect(repoUrlOf(aPipelineRun({ metadata: { annotations: notes } }))).toBe(expected)
  })
})
