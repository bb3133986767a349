import { labels } from '@slipway/model/labels'
import { aPipelineRun, condition } from '@slipway/model/testing'
import { expect, it } from 'vitest'
import { keepCommits } from './commit-index'

const run = (name: string, sha: string, minute: number, isFailed = false) =>
  aPipelineRun({
    metadata: {
      name,
      uid: name,
      creationTimestamp: `2026-01-31T09:0${minute}:00Z`,
      labels: { [labels.commitSha]: sha },
    },
    status: { conditions: [condition('Succeeded', isFailed ? 'False' : 'True')] },
  })

it('COM-05 makes the commit of a changed run anew, and no other', () => {
  const commitsOf = keepCommits()
  const runs = [run('a1', 'a', 1), run('a2', 'a', 2), run('b1', 'b', 3)]
  const before = commitsOf(runs)
  expect(before.map(({ sha }) => sha)).toEqual(['b', 'a'])
  const after = commitsOf(runs.with(1, run('a2', 'a', 2, true)))
  expect(after.map(({ sha, status }) => [sha, status])).toEqual([
    ['b', 'Succeeded'],
    ['a', 'Failed'],
  ])
  expect(after[0]).toBe(before[0])
  expect(commitsOf([...runs.slice(2), run('c1', 'c', 9)]).map(({ sha }) => sha)).toEqual(['c', 'b'])
})
