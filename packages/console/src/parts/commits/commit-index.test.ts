import { labels } from '@slipway/model/labels'
import { aPipelineRun, condition } from '@slipway/model/testing'
import { expect, it } from 'vitest'
import { indexCommits } from './commit-index'

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

it('COM-05 derives the commit of a changed run again, and no other', () => {
  const runs = [run('a1', 'a', 1), run('a2', 'a', 2), run('b1', 'b', 3)]
  const first = indexCommits(runs)
  expect(first.rows.map(({ sha }) => sha)).toEqual(['b', 'a'])
  const second = indexCommits(runs.with(1, run('a2', 'a', 2, true)), first)
  expect(second.rows.map(({ sha, status }) => [sha, status])).toEqual([
    ['b', 'Succeeded'],
    ['a', 'Failed'],
  ])
  expect(second.rows[0]).toBe(first.rows[0])
  const third = indexCommits([...runs.slice(2), run('c1', 'c', 9)], second)
  expect(third.rows.map(({ sha }) => sha)).toEqual(['c', 'b'])
  // The earlier result has not changed.
  expect(first.rows.map(({ status }) => status)).toEqual(['Succeeded', 'Succeeded'])
})
