import { annotations, labels } from '@slipway/model/labels'
import { aPipelineRun } from '@slipway/model/testing'
import { expect, it } from 'vitest'
import { asReported, pullRequestGroupOf } from './build-facts'

const pullRequest = { [labels.eventType]: 'pull_request', [labels.pullRequestNumber]: '7' }
const build = (branch: string, marks: Record<string, string> = pullRequest) =>
  aPipelineRun({
    metadata: {
      labels: marks,
      annotations: {
        [annotations.pacSourceBranch]: branch,
        [annotations.pacSourceRepositoryUrl]: 'https://github.com/ada/checkout-api',
      },
    },
  })

it.each<[string, Record<string, string> | undefined, string | undefined]>([
  ['rounding', pullRequest, 'rounding'],
  ['rounding', { ...pullRequest, [labels.eventType]: 'Merge_Request' }, 'rounding'],
  ['rounding', { ...pullRequest, [labels.eventType]: 'retest-all-comment' }, 'rounding'],
  ['main', pullRequest, 'main-ada'],
  ['master', pullRequest, 'master-ada'],
  ['rounding', { ...pullRequest, [labels.eventType]: 'push' }, undefined],
  ['rounding', { [labels.eventType]: 'push' }, undefined],
  ['rounding', { ...pullRequest, [labels.pipelineType]: 'test' }, undefined],
])('a build of the branch %s with the labels %j is in the group %s', (branch, marks, expected) =>
  expect(pullRequestGroupOf(build(branch, marks))?.name).toBe(expected),
)

it('asReported adds the group as an annotation and its hash as a label', () => {
  const { metadata } = asReported(build('rounding'))
  expect(metadata.annotations?.[annotations.pullRequestGroup]).toBe('rounding')
  const sha = metadata.labels?.[labels.pullRequestGroupSha]
  expect(sha).toMatch(/^[0-9a-f]{62}$/)
  expect(asReported(build('rounding')).metadata.labels?.[labels.pullRequestGroupSha]).toBe(sha)
  expect(asReported(build('Rounding')).metadata.labels?.[labels.pullRequestGroupSha]).not.toBe(sha)
  expect(asReported(build('rounding', {})).metadata.labels).not.toHaveProperty([labels.pullRequestGroupSha])
})
