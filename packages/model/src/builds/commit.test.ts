import { describe, expect, it, test } from 'vitest'
import { commitOf, commitsOf } from './commit'
import { pullRequestOf, shortSha } from '../git/git-facts'
import { annotations, copiedPacKey, labels } from '../labels'
import { aPipelineRun, condition, type Overrides } from '../testing'
import type { PipelineRun } from '../runs/pipeline-run'

const sha = 'faef902212a6c7cd3c6a79fa778410972259ef03'
const pac = {
  [annotations.pacShaTitle]: 'Add a checkout\n\nWith a body.',
  [annotations.pacShaUrl]: `https://github.com/payments/api/commit/${sha}`,
  [annotations.pacRepositoryUrl]: 'https://github.com/payments/api',
  [annotations.pacGitProvider]: 'github',
  [annotations.pacSender]: 'ada',
  [annotations.branch]: 'main',
}
const run = (
  name: string,
  minute: number,
  {
    labels: marks = {},
    annotations: notes = pac,
    ...more
  }: {
    labels?: Record<string, string | undefined>
    annotations?: Record<string, string | undefined> | undefined
    status?: Overrides<PipelineRun['status']>
  } = {},
) =>
  aPipelineRun({
    metadata: {
      name,
      uid: name,
      creationTimestamp: `2026-01-31T09:${String(minute).padStart(2, '0')}:00Z`,
      labels: { [labels.commitSha]: sha, [labels.eventType]: 'push', ...marks } as Record<string, string>,
      annotations: notes as Record<string, string>,
    },
    ...more,
  })

describe('a commit', () => {
  it('COM-03, COM-04 has the data of its runs', () => {
    const push = run('push', 1, { labels: { [labels.pullRequestNumber]: '4' } })
    const test = run('test', 2, {
      labels: { [labels.pipelineType]: 'test', [labels.component]: 'checkout-web' },
      annotations: undefined,
      status: { startTime: '2026-01-31T09:02:00Z', conditions: [condition('Succeeded', 'False')] },
    })
    expect(commitOf(sha, [push, test])).toEqual({
      sha,
      shaTitle: 'Add a checkout',
      shaUrl: `https://github.com/payments/api/commit/${sha}`,
      gitProvider: 'github',
      repoUrl: 'https://github.com/payments/api',
      branch: 'main',
      branchUrl: 'https://github.com/payments/api/tree/main',
      user: 'ada',
      creationTime: '2026-01-31T09:01:00Z',
      isPullRequest: false,
      pullRequestNumber: 4,
      pullRequestUrl: 'https://github.com/payments/api/pull/4',
      components: ['checkout-api', 'checkout-web'],
      application: 'checkout',
      status: 'Failed',
      pipelineRuns: [test, push],
    })
  })

  it('COM-05 has all runs of its SHA, latest first', () => {
    const other = run('other', 3, { labels: { [labels.commitSha]: 'abc' } })
    const none = aPipelineRun()
    const commits = commitsOf([run('first', 1), other, none, run('second', 9)])
    expect(commits.map((commit) => [commit.sha, commit.pipelineRuns.map(({ metadata }) => metadata.name)])).toEqual([
      ['abc', ['other']],
      [sha, ['second', 'first']],
    ])
  })

  it('does not depend on the order of its runs, of which several may start in the same second', () => {
    const started = (name: string, status: 'True' | 'False') =>
      run(name, 1, { status: { startTime: '2026-01-31T09:01:00Z', conditions: [condition('Succeeded', status)] } })
    const runs = [started('a', 'True'), started('c', 'False'), started('b', 'True')]
    const facts = [runs, runs.toReversed(), runs.toSorted()].map((each) => {
      const { status, pipelineRuns } = commitOf(sha, each)
      return [status, pipelineRuns.map(({ metadata }) => metadata.name)]
    })
    expect(facts).toEqual(facts.map(() => ['Failed', ['c', 'b', 'a']]))
  })

  it('COM-12 is shown by the first seven characters of its SHA', () => expect(shortSha(sha)).toBe('faef902'))

  it('COM-04 without a title is a manual build, with a URL built from its repository', () => {
    const notes = { [annotations.repository]: `https://gitlab.com/payments/api?rev=${sha}` }
    expect(commitOf(sha, [run('manual', 1, { annotations: notes })])).toMatchObject({
      shaTitle: 'manual build',
      shaUrl: `https://gitlab.com/payments/api/-/commit/${sha}`,
      gitProvider: 'gitlab',
      branch: undefined,
      user: undefined,
    })
  })
})

it.each(['labels', 'annotations'] as const)('RUN-48 a run names its author in its %s', (where) =>
  expect(commitOf(sha, [aPipelineRun({ metadata: { [where]: { [annotations.pacSender]: 'ada' } } })]).user).toBe('ada'),
)

describe('a pull request', () => {
  const events = (...names: string[]) =>
    commitOf(
      sha,
      names.map((event, at) => run(`${event}-${at}`, at, { labels: { [labels.eventType]: event } })),
    )
  test.each<[string, string[], boolean]>([
    ['pull_request', ['pull_request'], true],
    ['a merge request of GitLab', ['Merge_Request'], true],
    ['push', ['push'], false],
    ['Push of GitLab', ['Push'], false],
    ['incoming', ['incoming'], false],
    ['a comment on a pull request', ['pull_request', 'retest-all-comment'], true],
    ['a comment alone', ['retest-all-comment'], false],
    ['a pull request that became a push', ['pull_request', 'push'], false],
  ])('COM-15 is recognised by the event: %s', (_, names, expected) =>
    expect(events(...names).isPullRequest).toBe(expected),
  )

  test.each([
    ['12', 12],
    ['0', undefined],
    ['-1', undefined],
    ['1e3', undefined],
    ['twelve', undefined],
    ['99999999999', undefined],
  ])('has a number: %s', (text, number) => {
    const of = run('pr', 1, { labels: { [labels.eventType]: 'pull_request', [labels.pullRequestNumber]: text } })
    expect(pullRequestOf(of)?.number).toBe(number)
    expect(commitOf(sha, [of]).pullRequestNumber).toBe(number)
  })

  it('has the same URL in a build and in its test, which has copies of the labels', () => {
    const marks = {
      [annotations.pacGitProvider]: 'github',
      [annotations.pacRepositoryUrl]: 'https://git.test/o/r',
      [labels.eventType]: 'pull_request',
      [labels.pullRequestNumber]: '7',
    }
    const copies = Object.fromEntries(Object.entries(marks).map(([key, value]) => [copiedPacKey(key), value]))
    const pullRequest = { number: 7, url: 'https://git.test/o/r/pull/7' }
    for (const written of [marks, copies]) {
      expect(pullRequestOf(aPipelineRun({ metadata: { labels: written, annotations: written } }))).toEqual(pullRequest)
    }
  })

  it('COM-15 is recognised by its number if its only run came from a comment', () => {
    const marks = { [labels.eventType]: 'retest-all-comment', [labels.pullRequestNumber]: '7' }
    const ofComment = run('comment', 1, { labels: marks })
    expect(commitOf(sha, [ofComment])).toMatchObject({ isPullRequest: true, pullRequestNumber: 7 })
    expect(pullRequestOf(ofComment)?.number).toBe(7)
  })

  it('does not include the merged pull request of a push', () => {
    expect(pullRequestOf(run('push', 1, { labels: { [labels.pullRequestNumber]: '4' } }))).toBeUndefined()
  })
})

test.each<[string, unknown]>([
  ['a script', 'javascript:alert(1)'],
  ['an object', { toString: () => 'https://evil.test' }],
  ['a number', 7],
  ['null', null],
  ['a megabyte', 'x'.repeat(1_000_000)],
])('COM-04 annotations with %s are tolerated', (_, nonsense) => {
  const notes = Object.fromEntries(Object.values(annotations).map((key) => [key, nonsense as string]))
  const marks = { [labels.eventType]: nonsense as string, [labels.pullRequestNumber]: nonsense as string }
  const commit = commitOf(sha, [run('a', 1, { labels: marks, annotations: notes })])
  for (const url of [commit.shaUrl, commit.repoUrl, commit.branchUrl, commit.pullRequestUrl])
    expect(url).toBeUndefined()
  expect(commit.pullRequestNumber).toBeUndefined()
  expect(commit.isPullRequest).toBe(false)
})
